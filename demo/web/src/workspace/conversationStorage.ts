const storageKey = 'folio.conversation'
const startedKey = 'folio.conversation.started'

/** Which conversation was shown last, in localStorage; a browser that refuses storage begins a new one. */
export const conversationStorage = {
  load(): string | null {
    try {
      return localStorage.getItem(storageKey)
    } catch {
      return null
    }
  },
  /** Whether the server knows a conversation. */
  isStarted(conversationId: string): boolean {
    try {
      return localStorage.getItem(startedKey) === conversationId
    } catch {
      return false
    }
  },
  saveStarted(conversationId: string) {
    try {
      localStorage.setItem(startedKey, conversationId)
    } catch {
      // As below.
    }
  },
  save(conversationId: string) {
    try {
      localStorage.setItem(storageKey, conversationId)
    } catch {
      // Storage may be full or forbidden: the conversation still lasts until the page is left.
    }
  },
}
