import type { AgentReduxActions } from '../runtime/createAgentReduxActions.ts'
import { brokenBatch, type AgentStateSlice } from './agentStateSlice.ts'

/**
 * What the runtime knows to be true while the store may show a past (design, section 7): a reference, not a copy,
 * for as long as the store shows the same.
 */
export interface Present {
  get(): AgentStateSlice
  /** Numbers and dispatches a batch, and folds it into its own state where the store does not show it. */
  deliver(sessionId: string, events: ReturnType<AgentReduxActions['eventsReceived']>['payload']['events']): void
  /** Says whether the store shows the present. */
  isShown(): boolean
}

export function createPresent(options: {
  actions: AgentReduxActions
  dispatch: (action: ReturnType<AgentReduxActions[keyof AgentReduxActions]>) => unknown
  read: () => AgentStateSlice
  reduce: (state: AgentStateSlice, action: ReturnType<AgentReduxActions['eventsReceived']>) => AgentStateSlice
}): Present {
  const { actions, dispatch, read, reduce } = options
  let truth: AgentStateSlice | undefined

  // Before the first batch the store may be given another state by its own means: preloaded, hydrated.
  const get = () => truth ?? read()

  /** The present lacks a batch, which no dispatch can bring back: state it as it is. */
  function restore(state: AgentStateSlice) {
    for (const [sessionId, session] of Object.entries(state.sessions)) {
      dispatch(actions.sessionRestored({ sessionId, session, batch: state.batch }))
    }
  }

  return {
    get,
    isShown: () => truth === undefined || read().batch === truth.batch,
    deliver(sessionId, events) {
      const before = get()
      const action = actions.eventsReceived({ sessionId, events }, before.batch + 1)
      dispatch(action)
      const shown = read()
      if (shown.batch === action.meta.batch) truth = shown
      else {
        truth = reduce(before, action)
        if (shown.batch === brokenBatch) restore(truth)
      }
    },
  }
}
