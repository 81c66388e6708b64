import type { Dispatch, MiddlewareAPI } from '@reduxjs/toolkit'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import type { AgentSlice } from './agentSlice.ts'
import type { AgentReduxActions } from './createAgentReduxActions.ts'
import type { StoreRuntime } from './createStoreRuntime.ts'

/** Knows the runtime of each store, by the store's dispatch, so that nothing stands at module level. */
export interface RuntimeRegistry {
  register(dispatch: Dispatch, runtime: StoreRuntime): void
  /** Gives a store's runtime, or throws what to add to the store. */
  require(dispatch: unknown, root: unknown): StoreRuntime
  selectSlice(root: unknown): AgentSlice
  /** Wraps a middleware's handler: the first action is followed by one that announces this runtime. */
  announce(
    api: MiddlewareAPI,
    actions: AgentReduxActions,
    handle: (action: unknown) => unknown,
  ): (action: unknown) => unknown
}

export function createRuntimeRegistry(options: { reducerPath: string; instance: string }): RuntimeRegistry {
  const { reducerPath, instance } = options
  const runtimes = new WeakMap<object, StoreRuntime>()
  const conflicts = new WeakSet<object>()

  function selectSlice(root: unknown): AgentSlice {
    const slice = (root as Record<string, unknown> | undefined)?.[reducerPath]
    if (slice === undefined) {
      const message = `The store has no reducer at "${reducerPath}". Add [agent.reducerPath]: agent.reducer to it.`
      throw new AgentRuntimeError('reducer_missing', message)
    }
    if (typeof slice !== 'object' || slice === null || !('agentState' in slice)) throw pathTaken(reducerPath)
    return slice as AgentSlice
  }

  return {
    selectSlice,
    register: (dispatch, runtime) => void runtimes.set(dispatch, runtime),
    require(dispatch, root) {
      const runtime = runtimes.get(dispatch as object)
      if (!runtime) {
        const line = 'middleware: (getDefault) => getDefault().concat(agent.middleware)'
        const message = `The agent runtime at "${reducerPath}" has no middleware in this store. Add ${line}.`
        throw new AgentRuntimeError('middleware_missing', message)
      }
      if (conflicts.has(dispatch as object)) throw pathTaken(reducerPath)
      selectSlice(root)
      return runtime
    },
    announce(api, actions, handle) {
      let isAnnounced = false
      return (action) => {
        if (!isAnnounced) {
          isAnnounced = true
          api.dispatch(actions.registered({ instance }))
        }
        if (actions.registered.match(action) && action.payload.instance !== instance) conflicts.add(api.dispatch)
        return handle(action)
      }
    },
  }
}

function pathTaken(reducerPath: string) {
  const message = `The path "${reducerPath}" is taken by another reducer. Give createAgentRuntime another reducerPath.`
  return new AgentRuntimeError('path_taken', message)
}
