import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import type { ApprovalDecision } from '../../src/protocol/payloads/approvalPayloads.ts'

/** Where a command stands; `succeeded` says that it was taken, not that what it asked for went well. */
export type AgentCommandStatus = 'submitting' | 'succeeded' | 'failed'

/** Why a command failed, as state: no cause, as that cannot be stored (RFC, section 8). */
export interface AgentCommandError {
  readonly code: 'unsupported_capability' | 'invalid_command' | 'provider_error' | 'protocol_error' | 'interrupted'
  readonly message: string
  readonly retryable: boolean
  /** The literal code of the error itself, such as `conflict`, for an app's own words. */
  readonly reason?: string
  /** The decision that stands, where the command came after another one. */
  readonly decision?: ApprovalDecision
}

/** What became of a person's wish; `succeeded` says that the runtime took it, not what came of it. */
export interface AgentCommandState {
  readonly command: AgentCommand
  readonly key: string
  readonly status: AgentCommandStatus
  readonly error?: AgentCommandError
  /** The tab that it was sent from, where that is another one; its outcome comes from there. */
  readonly tabId?: string
  /** In milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
}
