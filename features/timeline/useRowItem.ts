import { useCallback, useContext, useSyncExternalStore } from 'react'
import { ReactReduxContext, useStore } from 'react-redux'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import { selectTimelineItem } from '../../src/selectors/selectTimelineItem.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import { getItemKey } from './getItemKey.ts'
import { isOpenItem } from './isOpenItem.ts'
import type { TimelineView } from './timelineView.ts'

const subscribeToNothing = () => () => undefined

/**
 * Gives a row's item as it is now: it follows one that is open, and takes one that has ended from its props, so that
 * a thousand finished rows cost a dispatch nothing.
 */
export function useRowItem(item: AgentTimelineItem, view: TimelineView): AgentTimelineItem {
  const { feed } = view
  const isOpen = isOpenItem(item)
  const store = useStore<AgentRootState<string>>()
  const context = useContext(ReactReduxContext)
  const key = getItemKey(item)
  const subscribe = useCallback((listener: () => void) => feed.subscribe(key, listener), [feed, key])
  const read = () => (isOpen ? readItem(store.getState(), item, view) : item)
  // Hydration renders what the server did, from the state that the server sent.
  const readServer = () => {
    const getState = (context?.getServerState ?? store.getState) as () => AgentRootState<string>
    return isOpen ? readItem(getState(), item, view) : item
  }
  return useSyncExternalStore(isOpen ? subscribe : subscribeToNothing, read, readServer)
}

/** An item that the session no longer has stays as it was: its row is about to go. */
function readItem(root: AgentRootState<string>, item: AgentTimelineItem, view: TimelineView): AgentTimelineItem {
  const session = view.agent.selectors.selectSession(root, view.sessionId)
  if (!session) return item
  return selectTimelineItem(session.active, item) ?? selectTimelineItem(session.settled, item) ?? item
}
