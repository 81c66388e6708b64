import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import { getItemKey } from './getItemKey.ts'

/** Tells the rows of a timeline which of them changed. */
export interface TimelineFeed {
  /** Calls back when the item of this key changes. */
  subscribe(key: string, listener: () => void): () => void
}

/**
 * Makes a feed: one subscription to the store for all rows, which finds the items that changed in one walk. A
 * subscription a row would cost each dispatch a selector a row.
 */
export function createTimelineFeed(options: {
  subscribe: (listener: () => void) => () => void
  read: () => readonly AgentTimelineItem[]
}): TimelineFeed {
  const listeners = new Map<string, Set<() => void>>()
  let last: readonly AgentTimelineItem[] = []
  let unsubscribe: (() => void) | undefined

  function notify(item: AgentTimelineItem) {
    for (const listener of listeners.get(getItemKey(item)) ?? []) listener()
  }

  function update() {
    const items = options.read()
    if (items === last) return
    const before = last
    last = items
    items.forEach((item, index) => {
      if (item !== before[index]) notify(item)
    })
  }

  return {
    subscribe(key, listener) {
      if (!unsubscribe) {
        last = options.read()
        unsubscribe = options.subscribe(update)
      }
      const ofKey = listeners.get(key) ?? new Set()
      listeners.set(key, ofKey.add(listener))
      return () => {
        ofKey.delete(listener)
        if (ofKey.size === 0) listeners.delete(key)
        if (listeners.size > 0) return
        unsubscribe?.()
        unsubscribe = undefined
      }
    },
  }
}
