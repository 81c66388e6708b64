import type { AgentApprovalState } from '../../src/state/entities/agentApprovalState.ts'
import type { AgentToolCallState } from '../../src/state/entities/agentToolCallState.ts'

/** How the approval that asks about a tool call stands: still without an answer, or answered. */
export type ToolQuestion = 'open' | 'answered'

/** Finds the approval that asks about a tool call, and says how it stands. */
export function getQuestion(
  approvals: Readonly<Record<string, AgentApprovalState>>,
  { runId, id }: AgentToolCallState,
): ToolQuestion | undefined {
  const asking = Object.values(approvals).filter((approval) => approval.runId === runId && approval.toolCallId === id)
  if (asking.length === 0) return undefined
  return asking.some(({ status }) => status === 'waiting') ? 'open' : 'answered'
}
