import { useEffect, useRef, type KeyboardEvent } from 'react'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { DeleteDocument } from './DeleteDocument.tsx'
import { DocumentConflict } from './DocumentConflict.tsx'
import type { WorkspaceDocument } from './documentSchema.ts'
import { draftsSlice } from './draftsSlice.ts'
import { formatTime } from './formatTime.ts'
import { SaveStatus } from './SaveStatus.tsx'

const { draftEdited, draftsSaveRequested } = draftsSlice.actions
const { selectDraft } = draftsSlice.selectors
const { selectCreatedDocumentId } = workspaceSlice.selectors

const countWords = (text: string) => text.match(/\S+/g)?.length ?? 0

/** Title and text of one document. It shows the draft where there is one, and else what is stored. */
export function DocumentForm({ document }: { readonly document: WorkspaceDocument }) {
  const dispatch = useAppDispatch()
  const draft = useAppSelector((state) => selectDraft(state, document.id))
  const isNew = useAppSelector((state) => selectCreatedDocumentId(state) === document.id)
  const { title, content } = draft ?? document
  const isConflict =
    draft !== undefined &&
    (draft.status === 'conflict' || (draft.status !== 'saving' && document.version > draft.baseVersion))
  const words = countWords(content)
  const titleRef = useRef<HTMLInputElement>(null)
  const contentRef = useRef<HTMLTextAreaElement>(null)

  useEffect(() => {
    // The person has just asked for a new document: naming it is what comes next.
    if (!isNew) return
    titleRef.current?.focus()
    titleRef.current?.select()
  }, [isNew])

  const edit = (change: { title?: string; content?: string }) =>
    dispatch(draftEdited({ documentId: document.id, title, content, baseVersion: document.version, ...change }))

  // Writing goes on where a button was that has done its work.
  const holdFocus = () => contentRef.current?.focus({ preventScroll: true })

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    dispatch(draftsSaveRequested())
  }

  return (
    <form className="document-editor" onKeyDown={onKeyDown} onSubmit={(event) => event.preventDefault()}>
      <div className="document-editor-head">
        <SaveStatus status={isConflict ? 'conflict' : (draft?.status ?? 'saved')} onRetried={holdFocus} />
        <DeleteDocument documentId={document.id} title={title} />
      </div>
      {isConflict && <DocumentConflict document={document} draft={draft} onChosen={holdFocus} />}
      <div className="document-editor-paper">
        <label className="visually-hidden" htmlFor="document-title">
          Title
        </label>
        <input
          id="document-title"
          ref={titleRef}
          className="document-editor-title"
          value={title}
          placeholder="Untitled"
          autoComplete="off"
          onChange={(event) => edit({ title: event.target.value })}
        />
        <label className="visually-hidden" htmlFor="document-content">
          Text, in Markdown
        </label>
        <textarea
          id="document-content"
          ref={contentRef}
          className="document-editor-content"
          value={content}
          placeholder="Write in Markdown…"
          onChange={(event) => edit({ content: event.target.value })}
        />
      </div>
      <p className="document-editor-foot">
        <span>
          {words} {words === 1 ? 'word' : 'words'}
        </span>
        <span>Version {document.version}</span>
        <span>Changed {formatTime(document.updatedAt)}</span>
      </p>
    </form>
  )
}
