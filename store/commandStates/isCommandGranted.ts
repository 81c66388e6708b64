import type { AgentCommand, AgentCommandOf, AgentCommandType } from '../../src/protocol/agentCommand.ts'
import { selectRetryOf } from '../../src/selectors/selectRetryOf.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { getStandingDecision } from './getStandingDecision.ts'

const grants: {
  readonly [Type in AgentCommandType]: (state: AgentState, command: AgentCommandOf<Type>) => boolean
} = {
  'approval.resolve': (state, command) => getStandingDecision(state, command) === command.payload.decision,
  'tool.retry': (state, { runId, payload }) => selectRetryOf(state, { runId, ...payload }) !== undefined,
  'run.cancel': (state, { runId }) => getOwn(state.runs, runId)?.status === 'cancelled',
}

/**
 * Says whether what a command asks for is a fact by now. Where its answer is lost, that fact is its answer (RFC,
 * section 17).
 */
export function isCommandGranted(state: AgentState, command: AgentCommand): boolean {
  return grants[command.type](state, command as never)
}
