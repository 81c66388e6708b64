import type { AgentState } from '../../src/state/agentState.ts'
import type { AgentApprovalState } from '../../src/state/entities/agentApprovalState.ts'

/** Finds the approval that a tool call asked for last. */
export function findApprovalOf(
  state: AgentState,
  { runId, toolCallId }: { runId: string; toolCallId: string },
): AgentApprovalState | undefined {
  return Object.values(state.approvals).findLast(
    (approval) => approval.runId === runId && approval.toolCallId === toolCallId,
  )
}
