import type { AgentState } from '../state/agentState.ts'
import type { AgentRunState } from '../state/entities/agentRunState.ts'
import { getOwn } from '../state/ownRecord.ts'

/**
 * Gives a run, or `undefined` where the state holds none of this id (RFC, section 14).
 *
 * @example
 * selectRun(state, 'r1')?.status // 'running'
 */
export function selectRun(state: AgentState, runId: string): AgentRunState | undefined {
  return getOwn(state.runs, runId)
}
