import './DocumentEditor.css'
import { PassingButton } from '../app/PassingButton.tsx'
import { useAppSelector } from '../app/useAppSelector.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { DocumentForm } from './DocumentForm.tsx'
import { documentsApi } from './documentsApi.ts'
import { useCreateDocument } from './useCreateDocument.ts'

const { selectSelectedDocumentId } = workspaceSlice.selectors

export function DocumentEditor() {
  const documentId = useAppSelector(selectSelectedDocumentId)
  return (
    <>
      <h2 className="visually-hidden">Editor</h2>
      {documentId === null ? <NothingSelected /> : <OpenDocument key={documentId} documentId={documentId} />}
    </>
  )
}

function OpenDocument({ documentId }: { readonly documentId: string }) {
  const { data, error, refetch } = documentsApi.useGetDocumentQuery(documentId)
  if (error && 'status' in error && error.status === 404) {
    return (
      <div className="message message-centred" role="alert">
        <p className="message-title">This document does not exist any more</p>
        <p>It may have been deleted. Choose another one from the list.</p>
      </div>
    )
  }
  if (data) return <DocumentForm document={data} />
  if (error) {
    return (
      <div className="message message-centred" role="alert">
        <p className="message-title">The document could not be loaded</p>
        <p>Check the connection and try again.</p>
        <PassingButton className="button" onClick={() => void refetch()}>
          Try again
        </PassingButton>
      </div>
    )
  }
  return (
    <div className="document-editor" role="status">
      <span className="visually-hidden">Loading the document</span>
      <div className="document-editor-skeleton">
        <span className="skeleton skeleton-heading" />
        {[1, 2, 3, 4, 5].map((line) => (
          <span key={line} className="skeleton" />
        ))}
      </div>
    </div>
  )
}

function NothingSelected() {
  const { data, isLoading } = documentsApi.useListDocumentsQuery()
  const { createDocument, isCreating } = useCreateDocument()
  // While the list loads, its first document is about to open here.
  if (isLoading) return null
  return (
    <div className="message message-centred">
      <p className="message-title">No document is open</p>
      <p>{data?.length ? 'Choose one from the list, or start a new one.' : 'Start with a new one.'}</p>
      <button type="button" className="button" disabled={isCreating} onClick={createDocument}>
        New document
      </button>
    </div>
  )
}
