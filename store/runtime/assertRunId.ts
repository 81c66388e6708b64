import { isFilled } from '../../src/protocol/predicates.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'

/**
 * Lets no run be without a name, which no event or command may be of.
 *
 * @throws AgentRuntimeError (`invalid_option`)
 */
export function assertRunId(runId: unknown): void {
  if (isFilled(runId)) return
  throw new AgentRuntimeError('invalid_option', 'A runId is a string and not empty. Give one, or none where it is new.')
}
