import type { AgentHistoryMessage } from '../../src/readModel/agentHistoryMessage.ts'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import { toHistoryEntity } from './toHistoryEntity.ts'

const items = new WeakMap<AgentHistoryMessage, AgentTimelineItem>()

/**
 * Makes of a read model's messages the items of a timeline, for `AgentTimeline`'s `history`; the same objects for the
 * same messages.
 *
 * @example
 * <AgentTimeline agent={agent} sessionId="c1" history={toTimelineItems(conversation.messages)} />
 * @experimental
 */
export function toTimelineItems(messages: readonly AgentHistoryMessage[]): readonly AgentTimelineItem[] {
  return messages.map((message) => {
    const known = items.get(message)
    if (known) return known
    const item: AgentTimelineItem = {
      kind: 'message',
      id: message.id,
      runId: message.runId,
      entity: toHistoryEntity(message),
    }
    items.set(message, item)
    return item
  })
}
