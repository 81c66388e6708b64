import './DocumentList.css'
import { useRef } from 'react'
import { Icon } from '../app/Icon.tsx'
import { PassingButton } from '../app/PassingButton.tsx'
import { useAppSelector } from '../app/useAppSelector.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { DocumentListItem } from './DocumentListItem.tsx'
import { DocumentSearch } from './DocumentSearch.tsx'
import { documentsApi } from './documentsApi.ts'
import { selectFoundDocuments } from './selectFoundDocuments.ts'
import { useCreateDocument } from './useCreateDocument.ts'
import { useListKeys } from './useListKeys.ts'

const { selectSearchText } = workspaceSlice.selectors

export function DocumentList() {
  const { data, isError, refetch } = documentsApi.useListDocumentsQuery()
  const found = useAppSelector(selectFoundDocuments)
  const searchText = useAppSelector(selectSearchText)
  const { createDocument, isCreating } = useCreateDocument()
  const containerRef = useRef<HTMLDivElement>(null)
  const onKeyDown = useListKeys(containerRef)
  const count = `${found.length} ${found.length === 1 ? 'document' : 'documents'}`

  return (
    <div className="document-list" ref={containerRef} onKeyDown={onKeyDown}>
      <div className="panel-head">
        <h2>Documents</h2>
        <button type="button" className="icon-button" disabled={isCreating} onClick={createDocument}>
          <Icon name="plus" />
          <span className="visually-hidden">New document</span>
        </button>
      </div>
      <DocumentSearch />
      <p className="visually-hidden" role="status">
        {data && searchText.trim() !== '' ? `${count} found` : ''}
      </p>
      <div className="document-list-scroll">
        {!data && !isError && <ListSkeleton />}
        {!data && isError && (
          <div className="message" role="alert">
            <p>The documents could not be loaded.</p>
            <PassingButton className="button" onClick={() => void refetch()}>
              Try again
            </PassingButton>
          </div>
        )}
        {data?.length === 0 && (
          <div className="message">
            <p>There are no documents yet.</p>
            <button type="button" className="button" disabled={isCreating} onClick={createDocument}>
              Write the first one
            </button>
          </div>
        )}
        {data && data.length > 0 && found.length === 0 && (
          <div className="message">
            <p>No document has “{searchText.trim()}” in its title or its beginning.</p>
          </div>
        )}
        {found.length > 0 && (
          <ul className="document-list-items">
            {found.map((document) => (
              <DocumentListItem key={document.id} document={document} />
            ))}
          </ul>
        )}
      </div>
      <p className="document-list-count" aria-hidden="true">
        {data ? count : '\u00a0'}
      </p>
    </div>
  )
}

function ListSkeleton() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading the documents</span>
      {[1, 2, 3, 4, 5].map((row) => (
        <div key={row} className="document-list-skeleton">
          <span className="skeleton skeleton-title" />
          <span className="skeleton" />
        </div>
      ))}
    </div>
  )
}
