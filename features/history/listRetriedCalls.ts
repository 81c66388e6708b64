import { getAgentEntityKey } from '../../src/protocol/getAgentEntityKey.ts'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'

/** The keys of the tool calls that a history tells of a retry of: their state is no longer here to ask. */
export function listRetriedCalls(history: readonly AgentTimelineItem[]): ReadonlySet<string> {
  const retried = new Set<string>()
  for (const { kind, entity } of history) {
    if (kind === 'tool' && entity.retryOf !== undefined) retried.add(getAgentEntityKey(entity.runId, entity.retryOf))
  }
  return retried
}
