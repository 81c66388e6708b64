import { freeze, type Reducer } from '@reduxjs/toolkit'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentReduxActions } from '../runtime/createAgentReduxActions.ts'
import { brokenBatch, type AgentStateSlice } from './agentStateSlice.ts'
import { createInitialSession } from './createInitialSession.ts'
import { reduceSession } from './reduceSession.ts'

const initialState: AgentStateSlice = freeze({ sessions: {}, batch: 0 }, true)

/**
 * Makes the `agentState` reducer. It is a plain one, as Immer's drafts would cost the hot path several times its
 * work; what it returns is frozen in development, which is also what keeps RTK's checks cheap.
 */
export function createAgentStateReducer(actions: AgentReduxActions): Reducer<AgentStateSlice> {
  return (state = initialState, action) => {
    const next = reduce(state, action)
    return next !== state && process.env.NODE_ENV !== 'production' ? freeze(next, true) : next
  }

  function reduce(state: AgentStateSlice, action: unknown): AgentStateSlice {
    if (actions.eventsReceived.match(action)) {
      const { sessionId, events } = action.payload
      const session = getOwn(state.sessions, sessionId) ?? createInitialSession()
      const batch = action.meta.batch === state.batch + 1 && state.batch !== brokenBatch ? action.meta.batch : brokenBatch
      return { sessions: { ...state.sessions, [sessionId]: reduceSession(session, events) }, batch }
    }
    if (actions.sessionRestored.match(action)) {
      const { sessionId, session, batch } = action.payload
      return { sessions: { ...state.sessions, [sessionId]: session }, batch }
    }
    return state
  }
}
