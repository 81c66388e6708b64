import { useSelector } from 'react-redux'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import type { AgentTimelineOptions } from '../../src/selectors/selectAgentTimeline.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'

/** Gives what happened in a session, or in one run of it, in state order; renders again once a batch at the most, and
 * the items that did not change stay the same objects, for rows that are memoised. */
export function useAgentTimeline(
  { selectors }: HookRuntime,
  options: AgentTimelineOptions & { sessionId: string },
): readonly AgentTimelineItem[] {
  return useSelector((root: AgentRootState<string>) => selectors.selectAgentTimeline(root, options))
}
