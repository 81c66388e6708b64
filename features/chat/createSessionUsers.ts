/** Counts who shows which session, in one store. */
export interface SessionUsers {
  add(sessionId: string): void
  remove(sessionId: string): void
  has(sessionId: string): boolean
}

export function createSessionUsers(): SessionUsers {
  const counts = new Map<string, number>()
  const change = (sessionId: string, by: number) => {
    const count = (counts.get(sessionId) ?? 0) + by
    if (count > 0) counts.set(sessionId, count)
    else counts.delete(sessionId)
  }
  return {
    add: (sessionId) => change(sessionId, 1),
    remove: (sessionId) => change(sessionId, -1),
    has: (sessionId) => counts.has(sessionId),
  }
}
