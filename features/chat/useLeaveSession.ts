import { useEffect, useRef } from 'react'

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

/**
 * Calls `onLeave` when a component turns from a session to another one and nobody shows the first any more
 * (RFC, section 17). A component that goes leaves nothing: what it asked for outlives it, as its run does.
 */
export function useLeaveSession(sessionId: string, users: SessionUsers, onLeave: (sessionId: string) => void): void {
  const shown = useRef<string>(undefined)
  const latest = useRef(onLeave)
  useEffect(() => {
    latest.current = onLeave
  })
  useEffect(() => {
    const previous = shown.current
    shown.current = sessionId
    users.add(sessionId)
    if (previous !== undefined && !users.has(previous)) latest.current(previous)
    return () => users.remove(sessionId)
  }, [sessionId, users])
}
