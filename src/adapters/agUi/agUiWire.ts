/** A part of a message, as AG-UI 1.0 has it. */
export type AgUiContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio' | 'video' | 'document'; readonly source: AgUiPartSource }

/** Where a part's bytes are: in it (base64), at a URL, or in a file that the runtime knows. */
export type AgUiPartSource =
  | { readonly type: 'data'; readonly value: string; readonly mimeType: string }
  | { readonly type: 'url'; readonly value: string; readonly mimeType?: string }

/** A call of a tool in an assistant's message. */
export interface AgUiToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
  readonly encryptedValue?: string
}

/** A message of the conversation, as AG-UI sends it both ways. */
export type AgUiMessage =
  | { readonly id: string; readonly role: 'system' | 'developer'; readonly content: string; readonly name?: string }
  | {
      readonly id: string
      readonly role: 'user'
      readonly content: string | readonly AgUiContentPart[]
      readonly name?: string
    }
  | {
      readonly id: string
      readonly role: 'assistant'
      readonly content?: string
      readonly toolCalls?: readonly AgUiToolCall[]
      readonly name?: string
      readonly encryptedValue?: string
      /** The subagent that it is of; absent for the agent itself. */
      readonly subagentRunId?: string
    }
  | {
      readonly id: string
      readonly role: 'tool'
      readonly toolCallId: string
      readonly content: string | readonly unknown[]
      readonly error?: string
      readonly subagentRunId?: string
    }
  | {
      readonly id: string
      readonly role: 'reasoning'
      readonly content: string
      readonly encryptedValue?: string
      readonly subagentRunId?: string
    }

/** A tool that the page offers to the agent; `parameters` is a JSON Schema. */
export interface AgUiTool {
  readonly name: string
  readonly description: string
  readonly parameters?: unknown
}

/** Something that the agent should know of the page. */
export interface AgUiContextItem {
  readonly description: string
  readonly value: string
}

/** The answer to one interrupt. */
export interface AgUiResumeEntry {
  readonly interruptId: string
  readonly status: 'resolved' | 'cancelled'
  readonly payload?: unknown
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** The request of a run, as AG-UI 1.0 and 0.0.5x have it. */
export interface AgUiRunInput {
  readonly threadId: string
  readonly runId: string
  readonly protocolVersion?: string
  readonly messages: readonly AgUiMessage[]
  readonly state: unknown
  readonly tools: readonly AgUiTool[]
  readonly context: readonly AgUiContextItem[]
  readonly forwardedProps: unknown
  readonly resume?: readonly AgUiResumeEntry[]
}
