import type { AgentMessageContent } from '../../protocol/agentMessageContent.ts'

/** What a person asks the run server for; plain JSON, so that a checkpoint can hold it. */
export interface RunServerInput {
  message: AgentMessageContent
  modelId?: string | undefined
  enableThinking?: boolean | undefined
  mode?: 'chat' | 'plan' | undefined
  /** The document that is open, for tools that work on it; the server reads it again by its id. */
  currentDocument?: { id: string; title?: string | undefined; contentHash?: string | undefined } | undefined
  /** Cancels a run that is under way in the conversation, instead of being refused as `thread_busy`. */
  supersede?: boolean | undefined
  /** The id of the answer's message; a UUID by default. */
  assistantMessageId?: string | undefined
}

/** A run's wire: what starts it, and the id of its answer, which the server's word replaces. */
export interface RunServerRequest {
  runId: string
  assistantMessageId: string
  start: Readonly<Record<string, unknown>>
  /** Whether what came on this connection says that the run goes on; where nothing came after a cursor, nothing says so. */
  isOpen?: boolean | undefined
}
