import type { AgentState } from '../state/agentState.ts'
import type { AgentTimelineItem } from './agentTimelineItem.ts'
import { getKeyedOrder } from './getKeyedOrder.ts'
import { memoizeByRecords } from './memoizeByRecords.ts'
import { readTimelineItem } from './readTimelineItem.ts'

/** Which items a timeline holds: one run's, or all; reasoning too, unless it is asked to stay out. */
export interface AgentTimelineOptions {
  runId?: string | undefined
  includeReasoning?: boolean | undefined
}

const selectMemoized = memoizeByRecords({
  // What changes most comes last: what comes after a record that changed is remembered anew.
  records: (state: AgentState) => [
    state.order,
    state.artifacts,
    state.tasks,
    state.approvals,
    state.toolCalls,
    state.reasoning,
    state.messages,
  ],
  key: ({ runId, includeReasoning = true }: AgentTimelineOptions) =>
    `${includeReasoning ? 'all' : 'brief'}${runId === undefined ? '' : `:${runId}`}`,
  compute: computeTimeline,
})

/**
 * Gives what happened, in the state's order and never by time; references without an entity are left out, as is what
 * its `meta` calls `reset` or `hidden`, and a redacted reasoning has no content. The list stays the same one while the
 * state's entities do, and an item while its own entity does (RFC, section 14).
 *
 * @example
 * selectAgentTimeline(state, { runId: 'r1', includeReasoning: false }).map((item) => item.kind)
 */
export function selectAgentTimeline(
  state: AgentState,
  options: AgentTimelineOptions = {},
): readonly AgentTimelineItem[] {
  return selectMemoized(state, options)
}

function computeTimeline(
  state: AgentState,
  { runId, includeReasoning = true }: AgentTimelineOptions,
): readonly AgentTimelineItem[] {
  const timeline: AgentTimelineItem[] = []
  for (const keyed of getKeyedOrder(state.order)) {
    const { reference } = keyed
    if (runId !== undefined && reference.runId !== runId) continue
    if (reference.kind === 'reasoning' && !includeReasoning) continue
    const item = readTimelineItem(state, keyed)
    if (item) timeline.push(item)
  }
  return timeline
}
