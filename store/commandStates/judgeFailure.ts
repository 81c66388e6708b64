import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentCommandError } from './agentCommandState.ts'
import { getStandingDecision } from './getStandingDecision.ts'
import { isCommandGranted } from './isCommandGranted.ts'

/**
 * Says what a command failed with, if it did: where it is not known what became of it, the facts are its answer
 * (RFC, section 17), be it the one that it asked for or another decision.
 */
export function judgeFailure(
  state: AgentState | undefined,
  { command, error }: { command: AgentCommand; error: AgentCommandError },
): AgentCommandError | undefined {
  const isUnknown = error.retryable || error.reason === 'command_timeout'
  if (!isUnknown || !state) return error
  if (isCommandGranted(state, command)) return undefined
  const decision = getStandingDecision(state, command)
  if (decision) return { ...error, retryable: false, decision }
  // Of a run that is over nothing can be asked again.
  return getOwn(state.runs, command.runId)?.status === 'running' ? error : { ...error, retryable: false }
}
