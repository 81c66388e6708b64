import type { UnknownAction } from '@reduxjs/toolkit'
import { getOwn } from '../../src/state/ownRecord.ts'
import { noCommands } from '../commandStates/createCommandStatesReducer.ts'
import type { AgentSlice } from '../runtime/agentSlice.ts'
import type { AgentReduxActions } from '../runtime/createAgentReduxActions.ts'
import { brokenBatch } from './agentStateSlice.ts'
import { createInitialSession } from './createInitialSession.ts'

/**
 * What the runtime knows to be true while the store may show a past (design, section 7): a reference, not a copy,
 * for as long as the store shows the same.
 */
export interface Present {
  get(): AgentSlice
  /** Numbers and dispatches a change of the runtime's, and folds it into its own state where the store lacks it. */
  apply(action: UnknownAction): void
  /** Says whether the store shows the present; one that merely lacks something is put right first. */
  show(): boolean
}

export function createPresent(options: {
  actions: AgentReduxActions
  dispatch: (action: UnknownAction) => unknown
  read: () => AgentSlice
  reduce: (state: AgentSlice, action: UnknownAction) => AgentSlice
}): Present {
  const { actions, dispatch, read, reduce } = options
  let truth: AgentSlice | undefined
  const closed = new Set<string>()
  let pending: { before: AgentSlice; action: UnknownAction; batch: number } | undefined

  /** What the store shows: nothing where the app has taken the reducer out, until it is there again. */
  function look(): AgentSlice | undefined {
    try {
      return read()
    } catch {
      return undefined
    }
  }

  // Asked for again while a change is being told, by a listener or a subscriber that dispatches, it is known already.
  function settle() {
    if (!pending) return
    const { before, action, batch } = pending
    pending = undefined
    const shown = look()
    if (shown?.agentState.batch === batch) truth = shown
    else {
      const next = reduce(before, action)
      truth = { ...next, agentState: { ...next.agentState, batch } }
    }
  }

  function get() {
    settle()
    // Before the first change the store may be given another state by its own means: preloaded, hydrated.
    return truth ?? read()
  }

  const isShown = () => get().agentState.batch === read().agentState.batch

  /** The store lacks a change, which no dispatch can bring back: state what is true, session by session. */
  function restore() {
    const { agentState, commandStates, connection } = get()
    const { batch, sessions } = agentState
    const { latestRunBySession, checkpoints = {} } = connection
    const known = listSessions(get())
    const slice = look()
    const shown = slice && listSessions(slice)
    const gone = [...closed].filter((sessionId) => !known.has(sessionId))
    // What the store shows of a session that was closed is no more. Where no session is left, one tells the number.
    const told = gone.filter((sessionId) => shown?.has(sessionId))
    for (const sessionId of told.length > 0 || known.size > 0 ? told : gone.slice(-1)) {
      dispatch(actions.sessionClosed({ sessionId, batch }))
    }
    for (const sessionId of known) {
      const session = getOwn(sessions, sessionId) ?? createInitialSession()
      const commands = getOwn(commandStates, sessionId) ?? noCommands
      const connections = Object.values(connection.runs).filter((run) => run.sessionId === sessionId)
      const latestRunId = getOwn(latestRunBySession, sessionId)
      const checkpoint = getOwn(checkpoints, sessionId)
      dispatch(actions.sessionRestored({ sessionId, session, commands, connections, latestRunId, checkpoint, batch }))
    }
  }

  return {
    get,
    apply(action) {
      const before = get()
      const batch = Math.max(before.agentState.batch, 0) + 1
      const numbered = { ...action, meta: { ...(action.meta as object | undefined), batch } }
      pending = { before, action: numbered, batch }
      if (actions.sessionClosed.match(action)) closed.add(action.payload.sessionId)
      try {
        dispatch(numbered)
      } finally {
        settle()
        if (look()?.agentState.batch === brokenBatch) restore()
      }
    },
    show() {
      if (!isShown()) restore()
      return isShown()
    },
  }
}

/** A session whose run has brought nothing yet is known by its connection alone, one that is read by its storage. */
function listSessions({ agentState, connection }: AgentSlice): ReadonlySet<string> {
  const { latestRunBySession, checkpoints = {} } = connection
  return new Set([agentState.sessions, latestRunBySession, checkpoints].flatMap((known) => Object.keys(known)))
}
