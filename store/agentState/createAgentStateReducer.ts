import { freeze, type Reducer, type UnknownAction } from '@reduxjs/toolkit'
import { getOwn } from '../../src/state/ownRecord.ts'
import { readBatch } from '../batch/readBatch.ts'
import type { AgentReduxActions } from '../runtime/createAgentReduxActions.ts'
import { brokenBatch, type AgentStateSlice } from './agentStateSlice.ts'
import { createInitialSession } from './createInitialSession.ts'
import { filterRecord } from './filterRecord.ts'
import { reduceSession } from './reduceSession.ts'
import { releaseRun } from './releaseRun.ts'

const initialState: AgentStateSlice = freeze({ sessions: {}, batch: 0 }, true)

/**
 * Makes the `agentState` reducer. It is a plain one, as Immer's drafts would cost the hot path several times its
 * work; what it returns is frozen in development, which is also what keeps RTK's checks cheap.
 */
export function createAgentStateReducer(actions: AgentReduxActions): Reducer<AgentStateSlice> {
  const { runRequested, runFollowed, runResumed, runRestored, connectionChanged, checkpointChanged } = actions
  const { commandSubmitted, commandSucceeded, commandFailed } = actions
  // These change nothing here; counted, they tell whether the store lacks one.
  const otherChanges = [
    ...[runRequested, runFollowed, runResumed, runRestored, connectionChanged, checkpointChanged],
    ...[commandSubmitted, commandSucceeded, commandFailed],
  ]
  // Asked once: where no bundler fills it in, as on a server, each asking is a call of the host's.
  const isFrozen = process.env.NODE_ENV !== 'production'
  return (state = initialState, action) => {
    const next = reduce(state, action)
    return next !== state && isFrozen ? freeze(next, true) : next
  }

  function reduce(state: AgentStateSlice, action: UnknownAction): AgentStateSlice {
    const received = readBatch(actions, action)
    if (received) {
      const { sessionId, events } = received
      const session = getOwn(state.sessions, sessionId) ?? createInitialSession()
      const sessions = { ...state.sessions, [sessionId]: reduceSession(session, events) }
      return { sessions, batch: getNextBatch(state, action) }
    }
    if (actions.sessionRestored.match(action)) {
      const { sessionId, session, batch = getNextBatch(state, action) } = action.payload
      return { sessions: { ...state.sessions, [sessionId]: session }, batch }
    }
    if (actions.sessionClosed.match(action)) {
      const { sessionId, batch = getNextBatch(state, action) } = action.payload
      return { sessions: filterRecord(state.sessions, (id) => id !== sessionId), batch }
    }
    if (actions.runReleased.match(action)) {
      const { sessionId, runId } = action.payload
      const session = getOwn(state.sessions, sessionId)
      const released = session && { ...state.sessions, [sessionId]: releaseRun(session, runId) }
      return { sessions: released ?? state.sessions, batch: getNextBatch(state, action) }
    }
    return otherChanges.some((change) => change.match(action))
      ? { ...state, batch: getNextBatch(state, action) }
      : state
  }
}

/** A change counts where it follows the one before it. */
function getNextBatch({ batch }: AgentStateSlice, { meta }: UnknownAction): number {
  const stated = (meta as { batch?: number } | undefined)?.batch
  return batch !== brokenBatch && stated === batch + 1 ? stated : brokenBatch
}
