/** A part of a UIMessage: `text`, `reasoning`, `tool-NAME`, `data-NAME` and so on, with the fields of its type. */
export interface AiSdkPart {
  readonly type: string
  readonly [field: string]: unknown
}

/** A message as the AI SDK's server takes it: what `UIMessage` of the package `ai` is, from version 5 on. */
export interface AiSdkMessage {
  readonly id: string
  readonly role: 'system' | 'user' | 'assistant'
  readonly metadata?: unknown
  readonly parts: readonly AiSdkPart[]
}
