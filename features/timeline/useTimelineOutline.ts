import { useSelector } from 'react-redux'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import type { AgentTimelineOptions } from '../../src/selectors/selectAgentTimeline.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'
import { isOpenItem } from './isOpenItem.ts'

/**
 * Gives a timeline that renders again only when an item comes, goes or ends: what streams meanwhile is the business of
 * its own row, so that a delta costs one row and not the list.
 */
export function useTimelineOutline(
  { selectors }: HookRuntime,
  options: AgentTimelineOptions & { sessionId: string },
): readonly AgentTimelineItem[] {
  return useSelector((root: AgentRootState<string>) => selectors.selectAgentTimeline(root, options), isSameOutline)
}

function isSameOutline(before: readonly AgentTimelineItem[], after: readonly AgentTimelineItem[]): boolean {
  if (before === after) return true
  return before.length === after.length && before.every((item, index) => isSamePlace(item, after[index]!))
}

function isSamePlace(before: AgentTimelineItem, after: AgentTimelineItem): boolean {
  if (before === after) return true
  const isSameEntity = before.id === after.id && before.kind === after.kind && before.runId === after.runId
  return isSameEntity && isOpenItem(before) && isOpenItem(after)
}
