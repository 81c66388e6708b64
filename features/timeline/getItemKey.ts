import { getAgentEntityKey } from '../../src/protocol/getAgentEntityKey.ts'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'

/** Names an item among all of a timeline: two kinds may share an id. */
export function getItemKey({ kind, runId, id }: AgentTimelineItem): string {
  return `${kind}:${getAgentEntityKey(runId, id)}`
}
