import { Icon } from '../app/Icon.tsx'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { documentName } from '../documents/documentName.ts'
import { documentHash } from '../workspace/documentHash.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'

const { documentSelected } = workspaceSlice.actions

/** The way to a document that the assistant changed. */
export function ChangedDocument({ documentId, title }: { readonly documentId: string; readonly title: string }) {
  const dispatch = useAppDispatch()
  return (
    <a
      className="changed-document"
      href={documentHash.format(documentId)}
      // A narrow window has to leave the conversation also where the document is the open one.
      onClick={(event) => {
        if (!event.metaKey && !event.ctrlKey && !event.shiftKey) dispatch(documentSelected(documentId))
      }}
    >
      <Icon name="document" />
      <span>Open “{documentName(title)}”</span>
    </a>
  )
}
