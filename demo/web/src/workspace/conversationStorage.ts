const storageKey = 'folio.conversation'

/** Which conversation was shown last, in localStorage; a browser that refuses storage begins a new one. */
export const conversationStorage = {
  load(): string | null {
    try {
      return localStorage.getItem(storageKey)
    } catch {
      return null
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
