import { getAgentEntityKey } from '../protocol/getAgentEntityKey.ts'
import type { AgentState } from '../state/agentState.ts'
import type { AgentApprovalState } from '../state/entities/agentApprovalState.ts'
import { getOwn } from '../state/ownRecord.ts'

/**
 * Gives an approval of a run, or `undefined` where there is none of these ids (RFC, section 14).
 *
 * @example
 * selectApproval(state, { runId: 'r1', approvalId: 'a1' })?.status
 */
export function selectApproval(
  state: AgentState,
  ids: { runId: string; approvalId: string },
): AgentApprovalState | undefined {
  return getOwn(state.approvals, getAgentEntityKey(ids.runId, ids.approvalId))
}
