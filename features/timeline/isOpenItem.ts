import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import { isTerminal } from '../../src/state/isTerminal.ts'

/** Says whether an item may still change. */
export function isOpenItem(item: AgentTimelineItem): boolean {
  return !isTerminal(item.entity.status)
}
