import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import type { AgentSession, AgentStateSlice } from '../agentState/agentStateSlice.ts'

/** A run's home: its session, and the part of it that holds the run. */
interface FoundRun {
  readonly sessionId: string
  readonly session: AgentSession
  readonly state: AgentState
}

/** Finds a run in all sessions, as run ids are unique across them. */
export function findRun(slice: AgentStateSlice, runId: string): FoundRun | undefined {
  for (const sessionId of Object.keys(slice.sessions)) {
    const session = getOwn(slice.sessions, sessionId)!
    if (Object.hasOwn(session.active.runs, runId)) return { sessionId, session, state: session.active }
    if (Object.hasOwn(session.settled.runs, runId)) return { sessionId, session, state: session.settled }
  }
  return undefined
}
