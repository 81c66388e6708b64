import { useCallback, useContext, useSyncExternalStore } from 'react'
import { ReactReduxContext } from 'react-redux'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import { selectTimelineItem } from '../../src/selectors/selectTimelineItem.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import { getItemKey } from './getItemKey.ts'
import { isOpenItem } from './isOpenItem.ts'
import type { LiveSource, TimelineSource } from './timelineSource.ts'

const subscribeToNothing = () => () => undefined

/**
 * Gives a row's item as it is now: it follows one that is open, and takes one that has ended, or is of the past, from
 * its props, so that a thousand finished rows cost a dispatch nothing.
 */
export function useRowItem(item: AgentTimelineItem, source: TimelineSource): AgentTimelineItem {
  const live = source.kind === 'live' && isOpenItem(item) ? source : undefined
  // The past needs no store, and may stand on a page without one.
  const context = useContext(ReactReduxContext)
  const getServerState = () => (context!.getServerState ?? context!.store.getState)() as unknown
  const feed = live?.feed
  const key = getItemKey(item)
  const subscribe = useCallback((listener: () => void) => feed!.subscribe(key, listener), [feed, key])
  return useSyncExternalStore(
    live ? subscribe : subscribeToNothing,
    () => (live ? readItem(context!.store.getState() as AgentRootState<string>, item, live) : item),
    // Hydration renders what the server did, from the state that the server sent.
    () => (live ? readItem(getServerState() as AgentRootState<string>, item, live) : item),
  )
}

/** An item that the session no longer has stays as it was: its row is about to go. */
function readItem(root: AgentRootState<string>, item: AgentTimelineItem, source: LiveSource): AgentTimelineItem {
  const session = source.agent.selectors.selectSession(root, source.sessionId)
  if (!session) return item
  return selectTimelineItem(session.active, item) ?? selectTimelineItem(session.settled, item) ?? item
}
