import type { AgentMessageContent } from '../protocol/agentMessageContent.ts'
import type { AgentRole } from '../protocol/payloads/messagePayloads.ts'

/** A message as a read model keeps it: what stands of a run for good. */
export interface AgentHistoryMessage {
  /** The message's id within its run. */
  readonly id: string
  readonly runId: string
  readonly role: AgentRole
  readonly content: AgentMessageContent
  /** `streaming` while its run is not done with it; its content may come with its end. */
  readonly status: 'streaming' | 'completed' | 'failed' | 'cancelled'
  /** In milliseconds. */
  readonly createdAt: number
}
