import type { Present } from '../agentState/createPresent.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'

/**
 * Lets nothing be sent from a past (design, section 7).
 *
 * @throws AgentRuntimeError (`time_travel`) where the store shows a past state.
 */
export function assertPresent(present: Present): void {
  if (present.show()) return
  throw new AgentRuntimeError('time_travel', 'A past state is shown. Return to the present, then try again.')
}
