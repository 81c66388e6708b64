import { getAgentEntityKey } from '../protocol/getAgentEntityKey.ts'
import type { AgentState } from '../state/agentState.ts'
import type { AgentToolCallState } from '../state/entities/agentToolCallState.ts'
import { memoizeByRecords } from './memoizeByRecords.ts'

const selectRetries = memoizeByRecords({
  records: (state: AgentState) => [state.toolCalls],
  key: () => '',
  compute: (state): ReadonlyMap<string, AgentToolCallState> => {
    const retries = Object.values(state.toolCalls).filter((toolCall) => toolCall.retryOf !== undefined)
    return new Map(retries.map((toolCall) => [getAgentEntityKey(toolCall.runId, toolCall.retryOf!), toolCall]))
  },
})

/**
 * Gives the tool call that is another attempt at this one, or `undefined` where there is none (RFC, section 15.1).
 *
 * @example
 * selectRetryOf(state, { runId: 'r1', toolCallId: 't1' })?.attempt // 2
 */
export function selectRetryOf(
  state: AgentState,
  ids: { runId: string; toolCallId: string },
): AgentToolCallState | undefined {
  return selectRetries(state, undefined).get(getAgentEntityKey(ids.runId, ids.toolCallId))
}
