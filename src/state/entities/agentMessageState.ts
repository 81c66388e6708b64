import type { AgentMessageContent } from '../../protocol/agentMessageContent.ts'
import type { AgentRole } from '../../protocol/payloads/messagePayloads.ts'
import type { AgentEntityBase } from './agentEntityBase.ts'

/** A message of a run, whoever speaks. */
export interface AgentMessageState extends AgentEntityBase {
  readonly role: AgentRole
  readonly content: AgentMessageContent
}
