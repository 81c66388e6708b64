import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { createCommandQueue, type CommandQueue } from './createCommandQueue.ts'
import { createDenseSequencer } from './createSequencer.ts'
import { createDeferred, type Deferred } from './deferred.ts'

/** What a store's runtime holds of a run that is not over: nothing of it can be state. */
export interface LiveRun {
  readonly runId: string
  readonly sessionId: string
  readonly provider: AnyAgentProvider
  readonly input: unknown
  /** Closes the main wire; each wire has its own. */
  controller: AbortController
  /** Takes an event of any of the run's channels. */
  receive(event: AgentEvent): void
  /** Whether the main wire is being read. */
  isStreaming: boolean
  /** Resolves once the run has ended by the runtime's word. */
  readonly ended: Deferred<void>
  readonly commands: CommandQueue
  /** What closes the wires of the commands that are under way. */
  readonly sending: Set<AbortController>
  /** Actions with a command under way, by their key; kept here, as the store may show a past. */
  readonly submitted: Set<string>
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
    isStreaming: false,
    ended: createDeferred(),
    commands: createCommandQueue(),
    sending: new Set(),
    submitted: new Set(),
  }
}
