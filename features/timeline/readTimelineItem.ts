import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import { selectTimelineItem } from '../../src/selectors/selectTimelineItem.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'

/** Gives an item as it is now, or as it was where the session no longer has it: its row is about to go. */
export function readTimelineItem(
  { selectors }: Pick<HookRuntime, 'selectors'>,
  root: AgentRootState<string>,
  { sessionId, item }: { sessionId: string; item: AgentTimelineItem },
): AgentTimelineItem {
  const session = selectors.selectSession(root, sessionId)
  if (!session) return item
  return selectTimelineItem(session.active, item) ?? selectTimelineItem(session.settled, item) ?? item
}
