import { useState } from 'react'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { DocumentDiff } from '../assistant/DocumentDiff.tsx'
import type { WorkspaceDocument } from './documentSchema.ts'
import { draftsSlice, type Draft } from './draftsSlice.ts'

const { draftDiscarded, draftRebased } = draftsSlice.actions

interface DocumentConflictProps {
  readonly document: WorkspaceDocument
  readonly draft: Draft
  /** Called when one was chosen: the buttons are about to go, and the focus should not go with them. */
  readonly onChosen: () => void
}

/** The document was changed elsewhere while the person wrote: nothing is overwritten before they choose. */
export function DocumentConflict({ document, draft, onChosen }: DocumentConflictProps) {
  const dispatch = useAppDispatch()
  const [isCompared, setCompared] = useState(false)
  const { version } = document
  const isLatestKnown = version > draft.baseVersion

  return (
    <section className="document-conflict" aria-labelledby="document-conflict-title">
      <div role="alert">
        <h3 id="document-conflict-title">This document was changed elsewhere</h3>
        <p>Your text is safe here, but it is not stored yet. Which one shall stay?</p>
      </div>
      <div className="document-conflict-actions">
        <button
          type="button"
          className="button"
          aria-expanded={isCompared}
          disabled={!isLatestKnown}
          onClick={() => setCompared(!isCompared)}
        >
          {isCompared ? 'Hide the difference' : 'Show the difference'}
        </button>
        <button
          type="button"
          className="button"
          disabled={!isLatestKnown}
          onClick={() => {
            dispatch(draftRebased({ documentId: document.id, version }))
            onChosen()
          }}
        >
          Keep mine
        </button>
        <button
          type="button"
          className="button"
          onClick={() => {
            dispatch(draftDiscarded(document.id))
            onChosen()
          }}
        >
          Take version {version}
        </button>
      </div>
      {isCompared && document.title !== draft.title && (
        <p>
          The title “{document.title}” became “{draft.title}”.
        </p>
      )}
      {isCompared && (
        <DocumentDiff label={`From version ${version} to your text`} before={document.content} after={draft.content} />
      )}
    </section>
  )
}
