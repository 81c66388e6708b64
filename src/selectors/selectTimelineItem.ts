import { getAgentEntityKey } from '../protocol/getAgentEntityKey.ts'
import type { AgentEntityReference, AgentState } from '../state/agentState.ts'
import type { AgentTimelineItem } from './agentTimelineItem.ts'
import { readTimelineItem } from './readTimelineItem.ts'

/**
 * Gives the timeline's item of an entity, the same object while the entity is; the item of a redacted reasoning has
 * an entity without content. `undefined` where the state holds no such entity, or it is hidden.
 *
 * @example
 * selectTimelineItem(state, { kind: 'task', runId: 'r1', id: 'k1' })?.entity.status
 */
export function selectTimelineItem(state: AgentState, reference: AgentEntityReference): AgentTimelineItem | undefined {
  return readTimelineItem(state, { reference, key: getAgentEntityKey(reference.runId, reference.id) })
}
