import type { AgentMessageContent } from '../../protocol/agentMessageContent.ts'
import type { OpenAIFields } from './openAIProviderOptions.ts'

/** What the app's own tool gave for a call that the model asked for in an earlier run. */
export interface OpenAIToolResult {
  readonly toolCallId: string
  /** Text as it is; anything else goes as JSON. */
  readonly result: unknown
}

/** What a person, or the app, asks for; plain JSON, so that a checkpoint can hold it. */
export interface OpenAIInput {
  /** The person's message: text, or parts (`text`, `image`, `file`, or `openai.*` with a part as the wire has it). */
  message?: AgentMessageContent | undefined
  /** Answers to the calls of an earlier run; with them no message is needed. */
  toolResults?: readonly OpenAIToolResult[] | undefined
  model?: string | undefined
  tools?: readonly OpenAIFields[] | undefined
  /** Further fields of this request's body; they go before the provider's own. */
  body?: OpenAIFields | undefined
}
