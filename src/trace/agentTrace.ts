import type { AgentEvent } from '../protocol/agentEvent.ts'

/** The form of a trace file; another number is another form. */
export const AGENT_TRACE_FORMAT = 'redux-agent-trace/1'

/** A point of a run from which its runtime could have gone on; `kind` is the runtime's own word. */
export interface AgentTraceCheckpoint {
  /** The event that it came after. */
  readonly sequence: number
  readonly kind: string
}

/**
 * One run as it was recorded: its events, which say all that happened, and where its checkpoints stood.
 *
 * @experimental
 */
export interface AgentTrace {
  readonly format: typeof AGENT_TRACE_FORMAT
  readonly sessionId: string
  readonly runId: string
  /** What it was about, for the eye. */
  readonly title?: string | undefined
  /** In milliseconds. */
  readonly exportedAt?: number | undefined
  /** At least one, by ever higher sequences. */
  readonly events: readonly AgentEvent[]
  /** By sequence. */
  readonly checkpoints: readonly AgentTraceCheckpoint[]
}
