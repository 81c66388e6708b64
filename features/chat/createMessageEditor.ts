import type { MessageEdits } from './messageEdits.ts'

/** Keeps a component's edits, by session: what is written can be read at once, before the next render. */
export interface MessageEditor {
  get(sessionId: string): MessageEdits | undefined
  set(sessionId: string, edits: MessageEdits): void
  subscribe(listener: () => void): () => void
}

export function createMessageEditor(): MessageEditor {
  const editsBySession = new Map<string, MessageEdits>()
  const listeners = new Set<() => void>()
  return {
    get: (sessionId) => editsBySession.get(sessionId),
    set(sessionId, edits) {
      editsBySession.set(sessionId, edits)
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
