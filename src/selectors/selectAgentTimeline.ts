import { getAgentEntityKey } from '../protocol/getAgentEntityKey.ts'
import { recordOfKind, type AgentEntityReference, type AgentState } from '../state/agentState.ts'
import { getOwn } from '../state/ownRecord.ts'
import type { AgentTimelineItem } from './agentTimelineItem.ts'
import { memoizeByRecords } from './memoizeByRecords.ts'
import { toTimelineItem } from './toTimelineItem.ts'

/** Which items a timeline holds: one run's, or all; reasoning only where it is asked for. */
export interface AgentTimelineOptions {
  runId?: string | undefined
  includeReasoning?: boolean | undefined
}

const selectMemoized = memoizeByRecords({
  records: (state: AgentState) => [
    state.order,
    state.messages,
    state.toolCalls,
    state.reasoning,
    state.approvals,
    state.tasks,
    state.artifacts,
  ],
  key: ({ runId, includeReasoning = false }: AgentTimelineOptions) =>
    `${includeReasoning ? 'all' : 'brief'}${runId === undefined ? '' : `:${runId}`}`,
  compute: computeTimeline,
})

/**
 * Gives what happened, in the state's order and never by time; references without an entity are left out, and a
 * redacted reasoning has no content. The list stays the same one while the state's entities do, and an item while its
 * own entity does (RFC, section 14).
 *
 * @example
 * selectAgentTimeline(state, { runId: 'r1', includeReasoning: true }).map((item) => item.kind)
 */
export function selectAgentTimeline(
  state: AgentState,
  options: AgentTimelineOptions = {},
): readonly AgentTimelineItem[] {
  return selectMemoized(state, options)
}

function computeTimeline(
  state: AgentState,
  { runId, includeReasoning = false }: AgentTimelineOptions,
): readonly AgentTimelineItem[] {
  const timeline: AgentTimelineItem[] = []
  for (const reference of state.order) {
    if (runId !== undefined && reference.runId !== runId) continue
    if (reference.kind === 'reasoning' && !includeReasoning) continue
    const entity = findEntity(state, reference)
    if (entity) timeline.push(toTimelineItem(reference, entity))
  }
  return timeline
}

type Entity = AgentTimelineItem['entity']

function findEntity(state: AgentState, { kind, runId, id }: AgentEntityReference): Entity | undefined {
  return getOwn<Entity>(state[recordOfKind[kind]], getAgentEntityKey(runId, id))
}
