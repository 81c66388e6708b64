import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import type { ReconnectPlan } from '../connection/agentReconnectOptions.ts'
import { createCommandQueue, type CommandQueue } from './createCommandQueue.ts'
import { createDenseSequencer } from './createDenseSequencer.ts'
import { createPlainSequencer } from './createPlainSequencer.ts'
import { createDeferred, type Deferred } from './deferred.ts'
import type { Sequencer } from './sequencer.ts'

/** What a store's runtime holds of a run that is not over: nothing of it can be state. */
export interface LiveRun {
  readonly runId: string
  readonly sessionId: string
  readonly provider: AnyAgentProvider
  readonly input: unknown
  /** Whether the input is known; without it no request can be made anew. */
  readonly hasInput: boolean
  readonly reconnect: ReconnectPlan
  /** Closes the main wire; each wire has its own. */
  controller: AbortController
  /** Counts the wires, so that each knows whether the run is still its own. */
  wireNumber: number
  /** Takes an event of any of the run's channels in this tab. */
  receive(event: AgentEvent): void
  readonly sequencer: Sequencer
  /** The last sequence that the store was told of, also where it refused the event. */
  readTo: number
  /** Told when an event begins to wait for one before it. */
  onGap: (() => void) | undefined
  /** Whether the main wire is being read, or waits for its next attempt. */
  isStreaming: boolean
  /** Begins the next attempt now, with the whole budget; only while one is waited for. */
  hurry: (() => void) | undefined
  /** The run's last sequence when a command of it was answered while its wire was open. */
  answeredAt: number | undefined
  /** What reads the main wire, or did. */
  finished: Promise<{ runId: string }> | undefined
  /** Resolves once the run has ended by the runtime's word. */
  readonly ended: Deferred<void>
  readonly commands: CommandQueue
  /** What closes the wires of the commands that are under way. */
  readonly sending: Set<AbortController>
  /** Actions with a command under way, by their key; kept here, as the store may show a past. */
  readonly submitted: Set<string>
}

export interface LiveRunOptions {
  runId: string
  sessionId: string
  provider: AnyAgentProvider
  input?: { value: unknown } | undefined
  reconnect: ReconnectPlan
  lastSequence: number
  apply: (event: AgentEvent) => void
  applyCursor: (cursor: string) => void
  /** Told of each event that one of the run's channels in this tab brings. */
  handOn: ((event: AgentEvent) => void) | undefined
}

export function createLiveRun(options: LiveRunOptions): LiveRun {
  const { runId, sessionId, provider, input, reconnect, handOn } = options
  const isDense = provider.capabilities.sequence === 'dense'
  const sequencer = isDense
    ? createDenseSequencer({ ...options, onGap: () => live.onGap?.() })
    : createPlainSequencer(options)
  const live: LiveRun = {
    runId,
    sessionId,
    provider,
    input: input?.value,
    hasInput: input !== undefined,
    reconnect,
    controller: new AbortController(),
    wireNumber: 0,
    receive: handOn
      ? (event) => {
          sequencer.receive(event)
          handOn(event)
        }
      : sequencer.receive,
    sequencer,
    readTo: options.lastSequence,
    onGap: undefined,
    isStreaming: false,
    hurry: undefined,
    answeredAt: undefined,
    finished: undefined,
    ended: createDeferred(),
    commands: createCommandQueue(),
    sending: new Set(),
    submitted: new Set(),
  }
  return live
}
