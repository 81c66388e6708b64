import { conversationStorage } from './conversationStorage.ts'
import { documentHash } from './documentHash.ts'
import { themeStorage } from './themeStorage.ts'
import { workspaceSlice, type WorkspaceState } from './workspaceSlice.ts'

/** The workspace as the address and the last visit left it. */
export function loadWorkspace(): WorkspaceState {
  const selectedDocumentId = documentHash.parse(window.location.hash)
  const initial = workspaceSlice.getInitialState()
  const conversationId = conversationStorage.load() ?? initial.conversationId
  // Also the first one, which nobody starts by hand.
  conversationStorage.save(conversationId)
  return {
    ...initial,
    conversationId,
    isConversationStarted: conversationStorage.isStarted(conversationId),
    selectedDocumentId,
    panel: selectedDocumentId === null ? 'documents' : 'editor',
    theme: themeStorage.load(),
  }
}
