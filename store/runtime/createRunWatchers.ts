import type { UnknownAction } from '@reduxjs/toolkit'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { Present } from '../agentState/createPresent.ts'
import type { AgentReduxActions } from './createAgentReduxActions.ts'

/** Tells who asks of what changes in a session, once a change of the runtime's. */
export interface RunWatchers {
  /** Calls back after each change of the session; gives the function that ends it. */
  watch(sessionId: string, onChange: () => void): () => void
  /** Takes note of a change that the present has taken. */
  note(action: UnknownAction): void
}

export function createRunWatchers({ actions, present }: { actions: AgentReduxActions; present: Present }): RunWatchers {
  const listeners = new Map<string, Set<() => void>>()

  function sessionOf(action: UnknownAction): string | undefined {
    const { connectionChanged, runResumed, runRestored } = actions
    if (connectionChanged.match(action) || runResumed.match(action)) {
      return getOwn(present.get().connection.runs, action.payload.runId)?.sessionId
    }
    if (runRestored.match(action)) return action.payload.connection.sessionId
    const { eventsReceived, runRequested, runFollowed, runReleased, sessionRestored, sessionClosed } = actions
    const ofSession = [eventsReceived, runRequested, runFollowed, runReleased, sessionRestored, sessionClosed]
    return ofSession.some(({ match }) => match(action))
      ? (action as unknown as { payload: { sessionId: string } }).payload.sessionId
      : undefined
  }

  return {
    watch(sessionId, onChange) {
      const ofSession = listeners.get(sessionId) ?? new Set()
      listeners.set(sessionId, ofSession.add(onChange))
      return () => {
        ofSession.delete(onChange)
        if (ofSession.size === 0 && listeners.get(sessionId) === ofSession) listeners.delete(sessionId)
      }
    },
    note(action) {
      if (listeners.size === 0) return
      const sessionId = sessionOf(action)
      if (sessionId === undefined) return
      for (const onChange of [...(listeners.get(sessionId) ?? [])]) onChange()
    },
  }
}
