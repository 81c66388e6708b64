import type { AgentMessageContent } from '../../protocol/agentMessageContent.ts'
import type { AgUiProgress } from './agUiProgress.ts'
import type { AgUiContextItem, AgUiRunInput, AgUiTool } from './agUiWire.ts'

/** What a person asks an AG-UI agent for; plain JSON, so that a checkpoint can hold it. */
export interface AgUiInput {
  /** The person's message; without one the agent runs on the conversation as it is. */
  message?: AgentMessageContent | undefined
  /** The id of the person's message; a UUID by default. */
  messageId?: string | undefined
  /** The shared state to begin with, in place of the conversation's latest. */
  state?: unknown
  /** Tools that the page offers in this run besides those of the provider's options. */
  tools?: readonly AgUiTool[] | undefined
  context?: readonly AgUiContextItem[] | undefined
  /** Laid over the provider's own, key by key. */
  forwardedProps?: Readonly<Record<string, unknown>> | undefined
}

/** One AG-UI run on the wire: a run of ours has several where it goes on after an answer. */
export interface AgUiRequest {
  readonly threadId: string
  /** The run's id on the wire; the runtime's own word for it replaces ours. */
  runId: string
  /** Sent with the request, so that the same answers count once. */
  readonly idempotencyKey?: string | undefined
  readonly getInput: () => AgUiRunInput
  /** How many chunks this connection has brought. */
  chunks: number
  /** What an earlier connection had in hand where this one goes on. */
  progress?: AgUiProgress | undefined
  /** Whether this connection has brought the run's end. */
  hasEnded: boolean
}
