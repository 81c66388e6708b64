import { memo } from 'react'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { documentHash } from '../workspace/documentHash.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { documentName } from './documentName.ts'
import type { DocumentSummary } from './documentSummarySchema.ts'
import { draftsSlice } from './draftsSlice.ts'
import { formatTime } from './formatTime.ts'

const { documentSelected } = workspaceSlice.actions
const { selectSelectedDocumentId } = workspaceSlice.selectors
const { selectDraft } = draftsSlice.selectors

function Item({ document }: { readonly document: DocumentSummary }) {
  const dispatch = useAppDispatch()
  const isSelected = useAppSelector((state) => selectSelectedDocumentId(state) === document.id)
  const draftTitle = useAppSelector((state) => selectDraft(state, document.id)?.title)
  const status = useAppSelector((state) => selectDraft(state, document.id)?.status)
  const isUnsaved = status === 'failed' || status === 'conflict'

  return (
    <li>
      <a
        className="document-list-item"
        href={documentHash.format(document.id)}
        aria-current={isSelected ? 'page' : undefined}
        // The link alone would do but for the open document: its address does not change, yet a narrow window must.
        onClick={(event) => {
          if (!event.metaKey && !event.ctrlKey && !event.shiftKey) dispatch(documentSelected(document.id))
        }}
      >
        <span className="document-list-title">{documentName(draftTitle ?? document.title)}</span>
        <span className="document-list-time">{formatTime(document.updatedAt)}</span>
        <span className="document-list-excerpt">{document.excerpt || 'Empty'}</span>
        {isUnsaved && <span className="document-list-unsaved">Not saved</span>}
      </a>
    </li>
  )
}

/** One document in the list: a plain link. */
export const DocumentListItem = memo(Item)
