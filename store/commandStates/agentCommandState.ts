import type { AgentCommand } from '../../src/protocol/agentCommand.ts'

export type AgentCommandStatus = 'submitting' | 'succeeded' | 'failed'

/** Why a command failed, as state: no cause, as that cannot be stored (RFC, section 8). */
export interface AgentCommandErrorState {
  readonly code: 'unsupported_capability' | 'invalid_command' | 'provider_error' | 'protocol_error' | 'interrupted'
  readonly message: string
  readonly retryable: boolean
}

/** What became of a person's wish; `succeeded` says that the runtime took it, not what came of it. */
export interface AgentCommandState {
  readonly command: AgentCommand
  readonly key: string
  readonly status: AgentCommandStatus
  readonly error?: AgentCommandErrorState
  /** In milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
}
