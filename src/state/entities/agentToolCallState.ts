import type { AgentEntityBase } from './agentEntityBase.ts'

/** One attempt at a tool call; a retry is another one, whose `retryOf` names this (RFC, section 15.1). */
export interface AgentToolCallState extends AgentEntityBase {
  readonly name: string
  /** The arguments' text as it streamed in: JSON once it is whole. */
  readonly arguments: string
  readonly index?: number
  readonly attempt: number
  readonly retryOf?: string
  readonly result?: unknown
}
