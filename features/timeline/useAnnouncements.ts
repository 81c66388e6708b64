import { useEffect, useRef, type RefObject } from 'react'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { describeItem } from './describeItem.ts'
import { getItemKey } from './getItemKey.ts'
import { isOpenItem } from './isOpenItem.ts'

/**
 * Gives a live region that says what has finished or needs the person, never what streams; what was there before is
 * not read out. It is written past React, so that saying something is no second render.
 */
export function useAnnouncements(
  items: readonly AgentTimelineItem[],
  { sessionId, locale }: { sessionId: string; locale: AgentLocale },
): RefObject<HTMLDivElement | null> {
  const region = useRef<HTMLDivElement>(null)
  const before = useRef<{ sessionId: string; open: ReadonlySet<string>; known: ReadonlySet<string> }>(undefined)

  useEffect(() => {
    const last = before.current
    const keyed = items.map((item) => ({ item, key: getItemKey(item) }))
    before.current = {
      sessionId,
      open: new Set(keyed.filter(({ item }) => isOpenItem(item)).map(({ key }) => key)),
      known: new Set(keyed.map(({ key }) => key)),
    }
    if (last?.sessionId !== sessionId || !region.current) return
    const news = keyed.filter(({ item, key }) => {
      const isNew = !last.known.has(key)
      if (isOpenItem(item)) return isNew && item.kind === 'approval'
      return isNew || last.open.has(key)
    })
    const words = news.map(({ item }) => describeItem(item, locale)).filter((text) => text !== undefined)
    if (words.length > 0) region.current.textContent = words.join(' ')
  }, [items, locale, sessionId])

  return region
}
