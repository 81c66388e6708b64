import type { AgentError } from '../../protocol/agentError.ts'

/** Where a run stands; all but `running` are terminal and final. */
export type AgentRunStatus = 'running' | 'completed' | 'failed' | 'cancelled'

/** One run of the agent; times are in milliseconds. */
export interface AgentRunState {
  readonly id: string
  readonly sessionId: string
  readonly status: AgentRunStatus
  readonly input?: unknown
  readonly output?: unknown
  readonly usage?: Readonly<Record<string, number>>
  readonly error?: AgentError
  readonly reason?: string
  readonly createdAt: number
  readonly updatedAt: number
}
