import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import type { Present } from '../agentState/createPresent.ts'
import type { AgentEnvironment } from '../batch/agentEnvironment.ts'
import type { EventBatcher } from '../batch/createEventBatcher.ts'
import type { CheckpointCoordinator } from '../checkpoint/createCheckpointCoordinator.ts'
import type { AgentReconnectOptions } from '../connection/agentReconnectOptions.ts'
import type { Tabs } from '../tabs/createTabs.ts'
import type { AgentReduxActions } from './createAgentReduxActions.ts'
import type { Deferred } from './deferred.ts'
import type { LiveRun } from './liveRun.ts'

/** What a sent command gives back. */
export interface AgentActionResult {
  readonly commandId: string
  readonly idempotencyKey: string
}

/** A command's run, and who waits for what becomes of it. */
export interface SubmittedCommand {
  readonly live: LiveRun
  readonly result: Deferred<AgentActionResult>
}

/** What the parts of one store's runtime share; it hangs on the store's dispatch. */
export interface StoreContext {
  readonly actions: AgentReduxActions
  readonly environment: AgentEnvironment
  /** In milliseconds; `Infinity` where there is no limit. */
  readonly commandTimeout: number
  /** How lost wires are taken up again, where a run says nothing of its own. */
  readonly reconnect: false | AgentReconnectOptions | undefined
  readonly batcher: EventBatcher
  readonly checkpoints: CheckpointCoordinator
  readonly tabs: Tabs
  readonly present: Present
  readonly providers: Map<string, AnyAgentProvider>
  readonly liveRuns: Map<string, LiveRun>
  /** Commands that are submitted and not taken up yet, by their key. */
  readonly submissions: Map<string, SubmittedCommand>
}
