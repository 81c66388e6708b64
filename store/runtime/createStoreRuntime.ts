import type { MiddlewareAPI, Reducer, UnknownAction } from '@reduxjs/toolkit'
import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { isRunEnd } from '../../src/state/isRunEnd.ts'
import type { AgentStateSlice } from '../agentState/agentStateSlice.ts'
import { createPresent } from '../agentState/createPresent.ts'
import type { AgentEnvironment } from '../batch/agentEnvironment.ts'
import { createEventBatcher, type AgentBatchOptions } from '../batch/createEventBatcher.ts'
import { getRunOutlook } from '../connection/getRunOutlook.ts'
import type { AgentSlice } from './agentSlice.ts'
import type { AgentReduxActions } from './createAgentReduxActions.ts'
import { createCommander, type Commander } from './createCommander.ts'
import { createRunner, type Runner } from './createRunner.ts'
import type { StoreContext } from './storeContext.ts'

/** One store's runtime: what drives its runs and sends its commands. */
export interface StoreRuntime {
  readonly runner: Runner
  readonly commander: Commander
}

export function createStoreRuntime(options: {
  api: MiddlewareAPI
  actions: AgentReduxActions
  reducer: Reducer<AgentStateSlice>
  selectSlice: (root: unknown) => AgentSlice
  providers: readonly AnyAgentProvider[]
  environment: AgentEnvironment
  batch?: AgentBatchOptions | undefined
  commandTimeout: number
}): StoreRuntime {
  const { api, actions, reducer, selectSlice, environment } = options
  const shown = () => selectSlice(api.getState())
  const dispatch = (action: UnknownAction) => api.dispatch(action)
  const present = createPresent({ actions, dispatch, read: () => shown().agentState, reduce: reducer })
  const context: StoreContext = {
    actions,
    environment,
    commandTimeout: options.commandTimeout,
    present,
    dispatch,
    shown,
    providers: new Map(options.providers.map((provider) => [provider.id, provider])),
    liveRuns: new Map(),
    submissions: new Map(),
    batcher: createEventBatcher({
      environment,
      batch: options.batch,
      deliver(sessionId, events) {
        present.deliver(sessionId, events)
        for (const { runId } of events.filter(isRunEnd)) {
          const live = context.liveRuns.get(runId)
          if (!live || getRunOutlook(present.get(), runId) !== 'ended') continue
          live.ended.resolve()
          live.commands.interrupt()
        }
      },
    }),
  }
  const runner = createRunner(context)
  return { runner, commander: createCommander(context, runner) }
}
