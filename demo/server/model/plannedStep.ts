/** What the local model does next: think, say, call tools. */
export interface PlannedStep {
  reasoning: string
  text: string
  toolCalls: { name: string; arguments: Record<string, unknown> }[]
}

/** A tool call of this turn with what came of it. */
export interface TurnCall {
  name: string
  arguments: Record<string, unknown>
  result: ToolAnswer
}

/** What the model hears of a tool call. */
export type ToolAnswer =
  | { kind: 'done'; result: Record<string, unknown>; edited?: Record<string, unknown> }
  | { kind: 'rejected' }
  | { kind: 'failed'; message: string }

/** What the messages say about the turn that is to be continued. */
export interface TurnContext {
  /** The person's last message. */
  prompt: string
  language: 'en' | 'zh'
  /** Tool calls since that message, oldest first. */
  calls: readonly TurnCall[]
  /** Tools that may be used now. */
  tools: ReadonlySet<string>
  /** The document that is open on the page. */
  currentDocumentId?: string
  /** The document that the conversation dealt with last. */
  lastDocumentId?: string
  memories: readonly string[]
}
