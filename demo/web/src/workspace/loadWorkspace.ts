import { documentHash } from './documentHash.ts'
import { themeStorage } from './themeStorage.ts'
import { workspaceSlice, type WorkspaceState } from './workspaceSlice.ts'

/** The workspace as the address and the last visit left it. */
export function loadWorkspace(): WorkspaceState {
  const selectedDocumentId = documentHash.parse(window.location.hash)
  return {
    ...workspaceSlice.getInitialState(),
    selectedDocumentId,
    panel: selectedDocumentId === null ? 'documents' : 'editor',
    theme: themeStorage.load(),
  }
}
