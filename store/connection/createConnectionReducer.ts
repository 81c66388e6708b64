import type { Reducer, UnknownAction } from '@reduxjs/toolkit'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentReduxActions } from '../runtime/createAgentReduxActions.ts'
import type { AgentRunConnection } from './agentRunConnection.ts'

/** The `connection` slice: a wire a run, and each session's latest run. */
export interface ConnectionSlice {
  readonly runs: Readonly<Record<string, AgentRunConnection>>
  readonly latestRunBySession: Readonly<Record<string, string>>
}

const initialState: ConnectionSlice = { runs: {}, latestRunBySession: {} }

/** Makes the `connection` reducer. */
export function createConnectionReducer(actions: AgentReduxActions): Reducer<ConnectionSlice> {
  return (state = initialState, action: UnknownAction) => {
    if (actions.runRequested.match(action)) {
      const { runId, sessionId, providerId, at } = action.payload
      const run: AgentRunConnection = {
        runId,
        sessionId,
        providerId,
        state: 'connecting',
        detached: false,
        updatedAt: at,
      }
      return {
        runs: { ...state.runs, [runId]: run },
        latestRunBySession: { ...state.latestRunBySession, [sessionId]: runId },
      }
    }
    if (actions.connectionChanged.match(action)) {
      const { runId, at, ...change } = action.payload
      const run = getOwn(state.runs, runId)
      return run ? { ...state, runs: { ...state.runs, [runId]: { ...run, ...change, updatedAt: at } } } : state
    }
    if (actions.sessionRestored.match(action)) {
      const { sessionId, connections, latestRunId } = action.payload
      const others = Object.values(state.runs).filter((run) => run.sessionId !== sessionId)
      const latest = Object.entries({ ...state.latestRunBySession, [sessionId]: latestRunId })
      return {
        runs: Object.fromEntries([...others, ...connections].map((run) => [run.runId, run])),
        latestRunBySession: Object.fromEntries(
          latest.filter((entry): entry is [string, string] => entry[1] !== undefined),
        ),
      }
    }
    return state
  }
}
