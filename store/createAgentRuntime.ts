import {
  addListener,
  clearAllListeners,
  combineReducers,
  createListenerMiddleware,
  isAnyOf,
  removeListener,
  type Middleware,
  type Reducer,
} from '@reduxjs/toolkit'
import type { AgentCheckpointError } from '../src/checkpoint/agentCheckpointError.ts'
import type { AgentCheckpointStorage } from '../src/checkpoint/agentCheckpointStorage.ts'
import { createUuid } from '../src/protocol/createUuid.ts'
import type { AnyAgentProvider } from '../src/provider/agentProvider.ts'
import { createAgentStateReducer } from './agentState/createAgentStateReducer.ts'
import { createAgentEnvironment, type AgentEnvironment } from './batch/agentEnvironment.ts'
import { createReleasable } from './batch/createReleasable.ts'
import type { AgentBatchOptions } from './batch/createEventBatcher.ts'
import { isCommandChange } from './commandStates/isCommandChange.ts'
import { isCommandFailure } from './commandStates/isCommandFailure.ts'
import { createCommandStatesReducer } from './commandStates/createCommandStatesReducer.ts'
import type { AgentReconnectOptions } from './connection/agentReconnectOptions.ts'
import { createConnectionReducer } from './connection/createConnectionReducer.ts'
import { createDevTools, type AgentDevTools } from './devTools/createDevTools.ts'
import type { AgentSlice } from './runtime/agentSlice.ts'
import { createActionCheck } from './runtime/createActionCheck.ts'
import { createAgentReduxActions, type AgentReduxActions } from './runtime/createAgentReduxActions.ts'
import { createRuntimeRegistry } from './runtime/createRuntimeRegistry.ts'
import { createStoreRuntime } from './runtime/createStoreRuntime.ts'
import { createThunks, type AgentRuntimeActions } from './runtime/createThunks.ts'
import type { AgentTabsOptions } from './tabs/agentTabs.ts'
import { createTabs } from './tabs/createTabs.ts'
import { readNumberOptions } from './readNumberOptions.ts'
import { createAgentSelectors, type AgentSelectors } from './selectors/createAgentSelectors.ts'

/** How a runtime is set up. */
export interface AgentRuntimeOptions<Path extends string> {
  /** Where the slice stands in the app's state; `agent` by default. */
  reducerPath?: Path
  /** Providers that are named by id; functions never enter state or actions. */
  providers?: readonly AnyAgentProvider[]
  /** How events are gathered before the store is told: a frame by default, or `maxDelay` where none comes. */
  batch?: AgentBatchOptions
  /**
   * How long a command waits for its answer, and a cancel for its effect; in milliseconds, 10,000 by default. With 0 or
   * `Infinity` it waits for as long as its run goes on, and 10,000 more.
   */
  commandTimeout?: number
  /** How lost wires are taken up again; on by default, where a provider can (RFC, sections 11.1 and 13.3). */
  reconnect?: false | AgentReconnectOptions
  /**
   * Where sessions are kept over a reload, each once it is opened (RFC, section 12); nothing is kept without. A
   * session's own storage goes before it.
   */
  checkpointStorage?: AgentCheckpointStorage | undefined
  /**
   * How long a session waits for its storage before it goes on without, in milliseconds; 5,000 by default, 0 or
   * `Infinity` for ever.
   */
  restoreTimeout?: number | undefined
  /**
   * The least time between two saves that nothing hurries, in milliseconds; 1,000 by default. With `Infinity` only what
   * is hurried is saved.
   */
  saveInterval?: number | undefined
  /**
   * How many ended runs a session keeps here, oldest first to go; all by default. It bounds a session that no read model
   * stands behind, whose runs would be let go of as that holds them.
   *
   * @experimental
   */
  maxSettledRuns?: number | undefined
  /**
   * How a browser's tabs share the sessions that are kept in a storage: one tab owns a session, the others follow it.
   * On by default, where the browser has Web Locks and BroadcastChannel; `false` lets each tab work by itself.
   *
   * @experimental
   */
  tabs?: false | AgentTabsOptions | undefined
  /** Told of a checkpoint that cannot be read or written; the run goes on. It holds nothing of what was stored. */
  onError?: ((error: AgentCheckpointError, about: { sessionId: string }) => void) | undefined
  /** Clock, ids, timers, frames, randomness and the network's signals, to be injected in tests. */
  environment?: Partial<AgentEnvironment>
}

/** An agent in a Redux app: the two lines of its store, and what goes with them. */
export interface AgentRuntime<Path extends string> {
  readonly reducerPath: Path
  readonly reducer: Reducer<AgentSlice>
  readonly middleware: Middleware
  /** Thunks for `dispatch`; each gives a promise with `unwrap()`. */
  readonly actions: AgentRuntimeActions
  /** The plain actions, to be matched by reducers and listeners of the app's own. */
  readonly events: AgentReduxActions
  /** Selectors that take the app's root state. */
  readonly selectors: AgentSelectors<Path>
  /** Sanitizers for `configureStore({ devTools })`. */
  readonly devTools: AgentDevTools
}

const isForListeners = isAnyOf(addListener, removeListener, clearAllListeners)

/**
 * Makes an agent runtime, once, beside the store that it is added to, as `createApi` does (design, section 3). One
 * runtime may serve many stores, and many runtimes one store, each at its own path.
 *
 * @throws AgentRuntimeError (`invalid_option`) where a number is none, or less than it may be.
 * @example
 * export const agent = createAgentRuntime({ reducerPath: 'agent', providers: [supportAgent] })
 * configureStore({
 *   reducer: { todos, [agent.reducerPath]: agent.reducer },
 *   middleware: (getDefault) => getDefault().concat(agent.middleware),
 * })
 */
export function createAgentRuntime<const Path extends string = 'agent'>(
  options: AgentRuntimeOptions<Path> = {},
): AgentRuntime<Path> {
  const { reducerPath = 'agent' as Path, providers = [] } = options
  const numbers = readNumberOptions(options)
  const actions = createAgentReduxActions(reducerPath)
  const isSound = createActionCheck(actions)
  const slices = combineReducers({
    agentState: createAgentStateReducer(actions),
    commandStates: createCommandStatesReducer(actions),
    connection: createConnectionReducer(actions),
  })
  const reducer: Reducer<AgentSlice> = (state, action) =>
    isSound(action) ? slices(state, action) : (state ?? slices(undefined, { type: '' }))
  const registry = createRuntimeRegistry({ reducerPath, createInstance: createUuid, actions })

  const middleware: Middleware = (api) => {
    const surroundings = createReleasable({ ...createAgentEnvironment(), ...options.environment })
    const runtime = createStoreRuntime({
      api,
      actions,
      reducer,
      selectSlice: registry.selectSlice,
      providers,
      surroundings,
      tabs: createTabs({
        environment: surroundings.environment,
        reducerPath,
        isKept: options.checkpointStorage !== undefined,
        tabs: options.tabs,
      }),
      batch: numbers.batch,
      commandTimeout: numbers.commandTimeout,
      reconnect: numbers.reconnect,
      checkpoints: {
        storage: options.checkpointStorage,
        restoreTimeout: numbers.restoreTimeout,
        saveInterval: numbers.saveInterval,
        onError: options.onError,
      },
      maxSettledRuns: numbers.maxSettledRuns,
    })
    registry.register(api.dispatch, runtime)
    const listener = createListenerMiddleware()
    const { runRequested, runFollowed, runResumed, commandSubmitted, commandSucceeded, commandFailed } = actions
    const drive = ({ payload }: { payload: { runId: string } }) => runtime.runner.drive(payload.runId)
    listener.startListening({ actionCreator: runRequested, effect: drive })
    listener.startListening({ actionCreator: runFollowed, effect: drive })
    listener.startListening({ actionCreator: runResumed, effect: drive })
    listener.startListening({
      actionCreator: commandSubmitted,
      effect: ({ payload }) => (isCommandChange(payload) ? runtime.commander.send(payload.command) : undefined),
    })
    listener.startListening({
      actionCreator: commandSucceeded,
      effect({ payload }) {
        if (isCommandChange(payload)) runtime.runner.follow(payload.command.runId)
      },
    })
    listener.startListening({
      actionCreator: commandFailed,
      effect({ payload }) {
        if (!isCommandFailure(payload)) return
        // It may have moved the run all the same: another decision stands, or it is not known what became of it.
        if (payload.error.code === 'provider_error') runtime.runner.follow(payload.command.runId)
      },
    })
    return (next) => {
      const listen = listener.middleware(api as never)(next)
      // What the app says to the listeners of its own would add to these here, or take them away, and go no further.
      const passesBy = (action: unknown) => isForListeners(action) || !isSound(action)
      const handle = registry.announce(api.dispatch, (action) => (passesBy(action) ? next(action) : listen(action)))
      return (action) =>
        actions.runtimeRequested.match(action) ? registry.require(api.dispatch, api.getState) : handle(action)
    }
  }

  return {
    reducerPath,
    reducer,
    middleware,
    actions: createThunks(registry),
    events: actions,
    selectors: createAgentSelectors(reducerPath, reducer(undefined, { type: '' })),
    devTools: createDevTools({ reducerPath, actions }),
  }
}
