import type { Dispatch } from '@reduxjs/toolkit'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import type { AgentSlice } from './agentSlice.ts'
import { createActionCheck } from './createActionCheck.ts'
import { createPathTaken } from './createPathTaken.ts'
import { readAgentSlice } from './readAgentSlice.ts'
import type { AgentReduxActions } from './createAgentReduxActions.ts'
import type { StoreRuntime } from './createStoreRuntime.ts'

/** Knows the runtime of each store, by the store's dispatch, so that nothing stands at module level. */
export interface RuntimeRegistry {
  register(dispatch: Dispatch, runtime: StoreRuntime): void
  /** Gives a store's runtime no more. */
  retire(dispatch: Dispatch): void
  isRetired(dispatch: Dispatch): boolean
  /** Gives a store's runtime, or throws what to add to the store. */
  require(dispatch: Dispatch, getState: () => unknown): StoreRuntime
  selectSlice(root: unknown): AgentSlice
  /** Wraps a middleware's handler: before the first action comes the one that announces this runtime. */
  announce(dispatch: Dispatch, handle: (action: unknown) => unknown): (action: unknown) => unknown
}

export function createRuntimeRegistry(options: {
  reducerPath: string
  /** Names this runtime; asked for with the first store, as some hosts refuse randomness while modules load. */
  createInstance: () => string
  actions: AgentReduxActions
}): RuntimeRegistry {
  const { reducerPath, createInstance, actions } = options
  const isSound = createActionCheck(actions)
  let instance: string | undefined
  const runtimes = new WeakMap<Dispatch, StoreRuntime>()
  const announced = new WeakSet<Dispatch>()
  const conflicts = new WeakSet<Dispatch>()
  const retired = new WeakSet<Dispatch>()

  function selectSlice(root: unknown): AgentSlice {
    const slice = readAgentSlice(root, reducerPath)
    if (!slice) {
      const message = `The store has no reducer at "${reducerPath}". Add [agent.reducerPath]: agent.reducer to it.`
      throw new AgentRuntimeError('reducer_missing', message)
    }
    return slice
  }

  function announceIn(dispatch: Dispatch) {
    announced.add(dispatch)
    dispatch(actions.registered({ instance: (instance ??= createInstance()) }))
  }

  return {
    selectSlice,
    register: (dispatch, runtime) => void runtimes.set(dispatch, runtime),
    retire: (dispatch) => void retired.add(dispatch),
    isRetired: (dispatch) => retired.has(dispatch),
    require(dispatch, getState) {
      if (retired.has(dispatch)) {
        const message = `The agent runtime at "${reducerPath}" of this store has been destroyed. Make another store.`
        throw new AgentRuntimeError('runtime_destroyed', message)
      }
      // A middleware that was added late is made with the next plain action, which thunks are not.
      if (!runtimes.has(dispatch)) announceIn(dispatch)
      const runtime = runtimes.get(dispatch)
      if (!runtime) {
        const line = 'middleware: (getDefault) => getDefault().concat(agent.middleware)'
        const message = `The agent runtime at "${reducerPath}" has no middleware in this store. Add ${line}.`
        throw new AgentRuntimeError('middleware_missing', message)
      }
      // A slice that was injected late enters the state with the next action alone.
      if (!announced.has(dispatch) || !readAgentSlice(getState(), reducerPath)) announceIn(dispatch)
      if (conflicts.has(dispatch)) throw createPathTaken(reducerPath)
      selectSlice(getState())
      return runtime
    },
    announce: (dispatch, handle) => (action) => {
      if (!announced.has(dispatch)) announceIn(dispatch)
      if (isSound(action) && actions.registered.match(action) && action.payload.instance !== instance) {
        conflicts.add(dispatch)
      }
      return handle(action)
    },
  }
}
