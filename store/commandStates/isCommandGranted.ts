import { assertNever } from '../../src/assertNever.ts'
import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import { selectRetryOf } from '../../src/selectors/selectRetryOf.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { getStandingDecision } from './getStandingDecision.ts'

/**
 * Says whether what a command asks for is a fact by now. Where its answer is lost, that fact is its answer (RFC,
 * section 17).
 */
export function isCommandGranted(state: AgentState, command: AgentCommand): boolean {
  const { type, runId, payload } = command
  switch (type) {
    case 'approval.resolve':
      return getStandingDecision(state, command) === payload.decision
    case 'tool.retry':
      return selectRetryOf(state, { runId, toolCallId: payload.toolCallId }) !== undefined
    case 'run.cancel':
      return getOwn(state.runs, runId)?.status === 'cancelled'
    default:
      return assertNever(type)
  }
}
