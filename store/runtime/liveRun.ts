import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { createDenseSequencer } from './createSequencer.ts'
import { createDeferred, type Deferred } from './deferred.ts'

/** What a store's runtime holds of a run that is not over: nothing of it can be state. */
export interface LiveRun {
  readonly runId: string
  readonly sessionId: string
  readonly provider: AnyAgentProvider
  readonly input: unknown
  /** Closes the main wire. */
  readonly controller: AbortController
  /** Takes an event of any of the run's channels. */
  receive(event: AgentEvent): void
  /** Resolves once the run has ended by the runtime's word. */
  readonly ended: Deferred<void>
  /** The tail of the run's queue of commands, which go one at a time. */
  commands: Promise<unknown>
  /** Once a cancel is under way, what has not been sent is not sent any more. */
  isCancelling: boolean
}

export function createLiveRun(options: {
  runId: string
  sessionId: string
  provider: AnyAgentProvider
  input?: unknown
  lastSequence: number
  apply: (event: AgentEvent) => void
}): LiveRun {
  const { runId, sessionId, provider, input, lastSequence, apply } = options
  const isDense = provider.capabilities.sequence === 'dense'
  return {
    runId,
    sessionId,
    provider,
    input,
    controller: new AbortController(),
    receive: isDense ? createDenseSequencer({ lastSequence, apply }).receive : apply,
    ended: createDeferred(),
    commands: Promise.resolve(),
    isCancelling: false,
  }
}
