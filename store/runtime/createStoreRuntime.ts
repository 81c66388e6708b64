import type { MiddlewareAPI, Reducer, UnknownAction } from '@reduxjs/toolkit'
import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { isRunEnd } from '../../src/state/isRunEnd.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import { createPresent, type Present } from '../agentState/createPresent.ts'
import type { AgentEnvironment } from '../batch/agentEnvironment.ts'
import type { ReleasableEnvironment } from '../batch/createReleasable.ts'
import { flushApart } from '../batch/flushApart.ts'
import { createEventBatcher, type AgentBatchOptions } from '../batch/createEventBatcher.ts'
import {
  createCheckpointCoordinator,
  type CheckpointCoordinator,
  type CheckpointOptions,
} from '../checkpoint/createCheckpointCoordinator.ts'
import type { AgentReconnectOptions } from '../connection/agentReconnectOptions.ts'
import { getRunOutlook } from '../connection/getRunOutlook.ts'
import type { Tabs } from '../tabs/createTabs.ts'
import type { AgentSlice } from './agentSlice.ts'
import type { AgentReduxActions } from './createAgentReduxActions.ts'
import { createReconciler, type Reconciler } from '../readModel/createReconciler.ts'
import { createCommander, type Commander } from './createCommander.ts'
import { createFollower, type Follower } from './createFollower.ts'
import { createRunner } from './createRunner.ts'
import type { LiveRun } from './liveRun.ts'
import type { Runner } from './runner.ts'
import { createRunWatchers, type RunWatchers } from './createRunWatchers.ts'
import type { StoreContext } from './storeContext.ts'

/** One store's runtime: what drives its runs and sends its commands. */
export interface StoreRuntime {
  readonly runner: Runner
  readonly commander: Commander
  readonly checkpoints: CheckpointCoordinator
  readonly follower: Follower
  readonly reconciler: Reconciler
  readonly watchers: RunWatchers
  readonly present: Present
  readonly providers: ReadonlyMap<string, AnyAgentProvider>
  readonly environment: AgentEnvironment
  /** Ends the runtime: nothing that it asked for comes any more. Resolves once what is to be saved is, or its storage hangs. */
  destroy(): Promise<void>
}

export function createStoreRuntime(options: {
  api: MiddlewareAPI
  actions: AgentReduxActions
  reducer: Reducer<AgentSlice>
  selectSlice: (root: unknown) => AgentSlice
  providers: readonly AnyAgentProvider[]
  surroundings: ReleasableEnvironment
  batch: Required<AgentBatchOptions>
  commandTimeout: number
  reconnect: false | AgentReconnectOptions | undefined
  checkpoints: CheckpointOptions
  tabs: Tabs
  maxSettledRuns: number
}): StoreRuntime {
  const { api, actions, reducer, selectSlice, surroundings } = options
  const { environment, timers, release } = surroundings
  const told = createPresent({
    actions,
    dispatch: (action: UnknownAction) => api.dispatch(action),
    read: () => selectSlice(api.getState()),
    reduce: reducer,
  })
  const present: Present = {
    ...told,
    apply(action) {
      try {
        told.apply(action)
      } finally {
        // It is so, also where a part of the app throws while it is told. The end of a run may come with what is put in
        // place, from a storage or another tab, as well as by its event.
        if (actions.sessionRestored.match(action)) endRuns(action.payload.sessionId)
        checkpoints.note(action)
        watchers.note(action)
        reconciler.note(action)
      }
    },
  }
  const context: Omit<StoreContext, 'checkpoints'> = {
    actions,
    environment,
    commandTimeout: options.commandTimeout,
    reconnect: options.reconnect,
    present,
    providers: new Map(options.providers.map((provider) => [provider.id, provider])),
    liveRuns: new Map(),
    submissions: new Map(),
    tabs: options.tabs,
    batcher: createEventBatcher({
      environment,
      batch: options.batch,
      deliver(sessionId, { events, cursors }) {
        noteRead(events)
        try {
          present.apply(actions.eventsReceived({ sessionId, events, ...(cursors && { cursors }) }))
        } finally {
          for (const { runId } of events.filter(isRunEnd)) endRun(runId)
        }
      },
    }),
  }

  /** Before the store is told, as it may be saved while it is. */
  function noteRead(events: readonly AgentEvent[]) {
    let live: LiveRun | undefined
    for (const { runId, sequence } of events) {
      if (live?.runId !== runId) live = context.liveRuns.get(runId)
      if (live) live.readTo = Math.max(live.readTo, sequence)
    }
  }

  function endRuns(sessionId: string) {
    for (const live of [...context.liveRuns.values()]) if (live.sessionId === sessionId) endRun(live.runId)
  }

  function endRun(runId: string) {
    const live = context.liveRuns.get(runId)
    // An end that the reducer refused is none.
    if (!live || getRunOutlook(present.get().agentState, runId) !== 'ended') return
    live.ended.resolve()
    live.commands.interrupt(new AgentRuntimeError('interrupted', 'Not sent: the run has ended.'))
  }

  const watchers = createRunWatchers({ actions, present })
  const reconciler = createReconciler(context, {
    maxSettledRuns: options.maxSettledRuns,
    getFollower: () => follower,
  })
  const checkpoints = createCheckpointCoordinator(context, {
    ...options.checkpoints,
    getRunner: () => runner,
    abortCommands: (of) => commander.abort(of),
  })
  const whole: StoreContext = { ...context, checkpoints }
  const runner = createRunner(whole)
  const commander = createCommander(whole, runner)
  const follower = createFollower(whole, { runner, release: reconciler.release })
  const { providers } = context

  async function destroy(): Promise<void> {
    flushApart(context.batcher)
    for (const sessionId of new Set([...context.liveRuns.values()].map((live) => live.sessionId))) commander.abort({ sessionId })
    // Another tab takes over what it owns, from what is saved in this turn.
    const error = new AgentRuntimeError('runtime_destroyed', 'Given up, as the agent runtime was destroyed.')
    context.tabs.close(error)
    runner.close()
    const saved = checkpoints.close(error, timers)
    release()
    await saved
  }

  return { runner, commander, checkpoints, follower, reconciler, watchers, present, providers, environment, destroy }
}
