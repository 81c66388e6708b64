import type { ApprovalDecision, ApprovalRisk } from '../../protocol/payloads/approvalPayloads.ts'
import type { AgentEntityBase } from './agentEntityBase.ts'

/** A question to a person: `waiting`, then `completed` whatever was decided (RFC, section 15.2). */
export interface AgentApprovalState extends AgentEntityBase {
  readonly toolCallId?: string
  readonly description?: string
  readonly risk?: ApprovalRisk
  readonly data?: unknown
  readonly decision?: ApprovalDecision
  readonly editable?: boolean
  /** When the runtime stops waiting, in milliseconds by its clock. */
  readonly expiresAt?: number
  readonly version?: string | number
}
