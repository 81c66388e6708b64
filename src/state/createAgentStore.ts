import { AgentModuleError } from '../agentModuleError.ts'
import type { AgentEvent } from '../protocol/agentEvent.ts'
import { AgentProtocolError } from './agentProtocolError.ts'
import type { AgentState } from './agentState.ts'
import { createBatchWriter } from './createBatchWriter.ts'
import { createInitialAgentState } from './createInitialAgentState.ts'

/** A store of one AgentState without Redux. */
export interface AgentStore {
  getSnapshot(): AgentState
  /** Applies an event and gives the state after it. */
  dispatch(event: AgentEvent): AgentState
  /** Applies events with one notification and gives the state; a strict batch commits wholly or not. */
  batch(events: readonly AgentEvent[]): AgentState
  /** Puts another state in place, the initial one by default, and gives it. */
  reset(state?: AgentState): AgentState
  /** Calls a listener after each change; gives the function that stops it. */
  subscribe(listener: () => void): () => void
  /** Ends the store: listeners go, and its use throws, but for `getSnapshot`. */
  destroy(): void
}

/** `record` turns a refused event into an issue; `strict` throws it. */
export type AgentProtocolMode = 'record' | 'strict'

/**
 * Makes a headless store of the agent's state, for use without Redux.
 *
 * @throws AgentProtocolError from `dispatch` and `batch` in strict mode, for the first refused event.
 * @throws AgentModuleError (`store_destroyed`) from `dispatch`, `batch`, `reset` and `subscribe` after `destroy`.
 * @example
 * const store = createAgentStore({ protocolMode: 'strict' })
 * store.subscribe(() => render(store.getSnapshot()))
 */
export function createAgentStore(
  options: { initialState?: AgentState | undefined; protocolMode?: AgentProtocolMode | undefined } = {},
): AgentStore {
  const { initialState = createInitialAgentState(), protocolMode = 'record' } = options
  const listeners = new Set<() => void>()
  let state = initialState
  let isDestroyed = false

  function commit(next: AgentState): AgentState {
    if (next === state) return state
    state = next
    // One that ends the store ends the telling, too.
    for (const listener of [...listeners]) if (!isDestroyed) listener()
    return state
  }

  function assertAlive() {
    if (!isDestroyed) return
    const message = 'AgentStore has been destroyed. Create another one instead of using this after destroy().'
    throw new AgentModuleError({ name: 'AgentStoreError', code: 'store_destroyed', message })
  }

  function batch(events: readonly AgentEvent[]): AgentState {
    assertAlive()
    const writer = createBatchWriter(state)
    for (const event of events) writer.apply(event)
    const [issue] = writer.issues
    if (issue && protocolMode === 'strict') throw new AgentProtocolError(issue)
    return commit(writer.commit())
  }

  return {
    getSnapshot: () => state,
    dispatch: (event) => batch([event]),
    batch,
    reset(next = createInitialAgentState()) {
      assertAlive()
      return commit(next)
    },
    subscribe(listener) {
      assertAlive()
      // A wrapper of its own, so that one function subscribed twice is called twice.
      const entry = () => listener()
      listeners.add(entry)
      return () => void listeners.delete(entry)
    },
    destroy() {
      isDestroyed = true
      listeners.clear()
    },
  }
}
