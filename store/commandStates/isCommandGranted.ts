import { assertNever } from '../../src/assertNever.ts'
import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import { getAgentEntityKey } from '../../src/protocol/getAgentEntityKey.ts'
import { selectRetryOf } from '../../src/selectors/selectRetryOf.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'

/**
 * Says whether what a command asks for is a fact by now. Where its answer is lost, that fact is its answer (RFC,
 * section 17).
 */
export function isCommandGranted(state: AgentState | undefined, command: AgentCommand): boolean {
  if (!state) return false
  const { type, runId, payload } = command
  switch (type) {
    case 'approval.resolve':
      return getOwn(state.approvals, getAgentEntityKey(runId, payload.approvalId))?.decision === payload.decision
    case 'tool.retry':
      return selectRetryOf(state, { runId, toolCallId: payload.toolCallId }) !== undefined
    case 'run.cancel':
      return getOwn(state.runs, runId)?.status === 'cancelled'
    default:
      return assertNever(type)
  }
}
