import type { AgentState } from '../state/agentState.ts'
import type { AgentRunState } from '../state/entities/agentRunState.ts'
import { memoizeByRecords } from './memoizeByRecords.ts'

const selectMemoized = memoizeByRecords({
  records: (state: AgentState) => [state.runs],
  key: (sessionId: string) => sessionId,
  compute: (state, sessionId): readonly AgentRunState[] =>
    Object.values(state.runs)
      .filter((run) => run.sessionId === sessionId && run.status === 'running')
      // A record lists ids that are whole numbers first, whenever they came; equal times leave its order.
      .sort((left, right) => left.createdAt - right.createdAt),
})

/**
 * Gives a session's running runs, oldest first by the runtime's clock; of the same time, in the record's order. The list
 * stays the same one while no run starts or ends (RFC, section 14).
 *
 * @example
 * const isBusy = selectRunningRuns(state, sessionId).length > 0
 */
export function selectRunningRuns(state: AgentState, sessionId: string): readonly AgentRunState[] {
  return selectMemoized(state, sessionId)
}
