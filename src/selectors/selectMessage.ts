import { getAgentEntityKey } from '../protocol/getAgentEntityKey.ts'
import type { AgentState } from '../state/agentState.ts'
import type { AgentMessageState } from '../state/entities/agentMessageState.ts'
import { getOwn } from '../state/ownRecord.ts'

/**
 * Gives a message of a run, or `undefined` where there is none of these ids (RFC, section 14).
 *
 * @example
 * selectMessage(state, { runId: 'r1', messageId: 'm1' })?.status
 */
export function selectMessage(
  state: AgentState,
  ids: { runId: string; messageId: string },
): AgentMessageState | undefined {
  return getOwn(state.messages, getAgentEntityKey(ids.runId, ids.messageId))
}
