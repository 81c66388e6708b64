import { useEffect, useRef } from 'react'
import type { SessionUsers } from './createSessionUsers.ts'

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
