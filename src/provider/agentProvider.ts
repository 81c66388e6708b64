import type { AgentCommand, AgentCommandType } from '../protocol/agentCommand.ts'
import type { AgentEvent } from '../protocol/agentEvent.ts'
import type { AgentEventType } from '../protocol/agentEventPayloads.ts'
import type { AgentEventProtocolVersion } from '../protocol/agentEventProtocol.ts'
import type { AgentEventFactory, AgentRunOptions } from '../protocol/createAgentEventFactory.ts'
import type { AgentState } from '../state/agentState.ts'
import type { AgentTransport, AgentTransportKind } from './agentTransport.ts'

/** What a provider can do, stated beforehand (RFC, section 9.1). */
export interface AgentProviderCapabilities {
  readonly eventTypes: readonly AgentEventType[]
  readonly transports: readonly AgentTransportKind[]
  /** Commands that `executeCommand` takes; none by default. */
  readonly commands?: readonly AgentCommandType[] | undefined
  /** Whether a run can be taken up again after a cursor; no by default. */
  readonly resumable?: boolean | undefined
  /**
   * `dense`: the server gives each event the last sequence plus one, and `start`, `flush` and `transformError` make
   * no events. `increasing` by default.
   */
  readonly sequence?: 'increasing' | 'dense' | undefined
  readonly extensions?: Readonly<Record<`${string}.${string}`, unknown>> | undefined
}

/** A run, and how a provider reads what its session has come to. */
export interface AgentProviderRunOptions extends AgentRunOptions {
  /**
   * Gives the session's state as it is now, restored runs included: a provider whose runtime keeps no conversation
   * makes its requests of it. Absent where a runner keeps no state.
   *
   * @experimental
   */
  getAgentState?: (() => AgentState) | undefined
}

/** What `createContext` gets: the run, and the factory of its events. */
export interface AgentProviderContextOptions extends AgentProviderRunOptions {
  events: AgentEventFactory
}

/** What `executeCommand` gets besides the command; the first event must come after `initialSequence`. */
export interface AgentCommandOptions {
  signal: AbortSignal
  initialSequence: number
  now?: (() => number) | undefined
  /**
   * Gives the session's state as it is now, as in `createContext`.
   *
   * @experimental
   */
  getAgentState?: (() => AgentState) | undefined
  /**
   * Takes the cursor after the events that were yielded so far, where the answer is the continuation of the run.
   *
   * @experimental
   */
  onCursor?: ((cursor: string) => void) | undefined
  /**
   * Says how the run's main stream stands: `open` while it is read here, or being taken up again; `elsewhere` where
   * another tab does that; else `closed`.
   *
   * @experimental
   */
  getWireState?: (() => 'open' | 'elsewhere' | 'closed') | undefined
  /**
   * Says whether an answer to an approval that was taken here before still counts as taken. Of one that does not it was
   * said that nobody knows what became of it: what is gathered must not be sent with it.
   *
   * @experimental
   */
  isTaken?: ((approvalId: string) => boolean) | undefined
}

/**
 * Adapts a runtime: what to ask it, and which events its answers are (RFC, section 9). It is the contract of
 * `@ant-design/x-sdk`, so that a provider written there runs unchanged.
 */
export interface AgentProvider<Input, Request, Chunk, Context = unknown> {
  readonly id: string
  readonly protocol: { readonly name: 'agent-event'; readonly version: AgentEventProtocolVersion }
  readonly capabilities: AgentProviderCapabilities
  readonly transport: AgentTransport<Request, Chunk>
  createContext(options: AgentProviderContextOptions): Context
  start(input: Input, context: Context): readonly AgentEvent[]
  prepareRequest(input: Input, context: Context): Request
  transformChunk(chunk: Chunk, context: Context): readonly AgentEvent[]
  flush(context: Context): readonly AgentEvent[]
  transformError(error: unknown, context: Context): readonly AgentEvent[]
  /** Says whether a lost wire is worth another try; without it no error is. */
  classifyError?(error: unknown, context: Context): { retryable: boolean }
  executeCommand?(command: AgentCommand, options: AgentCommandOptions): AsyncIterable<AgentEvent>
}

/** Any provider, whatever its input, request, chunk and context: what a runtime holds by id. */
// The four are invariant (each is taken and given), so that only `never` and `any` admit every provider.
// eslint-disable-next-line typescript/no-explicit-any
export type AnyAgentProvider = AgentProvider<any, any, any, any>
