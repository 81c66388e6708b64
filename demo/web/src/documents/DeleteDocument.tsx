import { useRef } from 'react'
import { Icon } from '../app/Icon.tsx'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { documentName } from './documentName.ts'
import { documentsApi } from './documentsApi.ts'

const { documentSelected, panelShown } = workspaceSlice.actions

interface DeleteDocumentProps {
  readonly documentId: string
  readonly title: string
}

export function DeleteDocument({ documentId, title }: DeleteDocumentProps) {
  const dispatch = useAppDispatch()
  const dialogRef = useRef<HTMLDialogElement>(null)
  const { data: documents = [] } = documentsApi.useListDocumentsQuery()
  const [deleteDocument] = documentsApi.useDeleteDocumentMutation()

  const onDelete = () => {
    const index = documents.findIndex(({ id }) => id === documentId)
    const neighbour = documents[index + 1] ?? documents[index - 1]
    void deleteDocument(documentId)
    dispatch(documentSelected(neighbour?.id ?? null))
    dispatch(panelShown('documents'))
  }

  return (
    <>
      <button type="button" className="icon-button" onClick={() => dialogRef.current?.showModal()}>
        <Icon name="trash" />
        <span className="visually-hidden">Delete this document</span>
      </button>
      <dialog ref={dialogRef} className="dialog" aria-labelledby="delete-title">
        <h3 id="delete-title">Delete “{documentName(title)}”?</h3>
        <p>It is deleted for everyone, and it cannot be brought back.</p>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={() => dialogRef.current?.close()}>
            Keep it
          </button>
          <button type="button" className="button button-danger" onClick={onDelete}>
            Delete
          </button>
        </div>
      </dialog>
    </>
  )
}
