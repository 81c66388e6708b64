import { getAgentEntityKey } from '../protocol/getAgentEntityKey.ts'
import type { AgentState } from '../state/agentState.ts'
import type { AgentToolCallState } from '../state/entities/agentToolCallState.ts'
import { getOwn } from '../state/ownRecord.ts'

/**
 * Gives a tool call of a run, or `undefined` where there is none of these ids (RFC, section 14).
 *
 * @example
 * selectToolCall(state, { runId: 'r1', toolCallId: 't1' })?.status
 */
export function selectToolCall(
  state: AgentState,
  ids: { runId: string; toolCallId: string },
): AgentToolCallState | undefined {
  return getOwn(state.toolCalls, getAgentEntityKey(ids.runId, ids.toolCallId))
}
