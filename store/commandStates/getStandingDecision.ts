import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import { getAgentEntityKey } from '../../src/protocol/getAgentEntityKey.ts'
import type { ApprovalDecision } from '../../src/protocol/payloads/approvalPayloads.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'

/** Gives what was decided of the approval that a command is about, whoever decided it. */
export function getStandingDecision(state: AgentState, command: AgentCommand): ApprovalDecision | undefined {
  if (command.type !== 'approval.resolve') return undefined
  return getOwn(state.approvals, getAgentEntityKey(command.runId, command.payload.approvalId))?.decision
}
