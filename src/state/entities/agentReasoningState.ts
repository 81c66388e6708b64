import type { AgentEntityBase } from './agentEntityBase.ts'

/** A stretch of the model's reasoning; the content of a redacted one is never shown and never stored. */
export interface AgentReasoningState extends AgentEntityBase {
  readonly content: string
  readonly summary?: string
  readonly redacted: boolean
}
