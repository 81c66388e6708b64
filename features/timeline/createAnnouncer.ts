import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import type { AgentConnectionView } from '../connection/useConnection.ts'
import { getItemKey } from './getItemKey.ts'
import { isOpenItem } from './isOpenItem.ts'

/** A timeline as it is looked at: its items, and the wire of its run, or of its session's latest. */
export interface AnnouncedTimeline {
  readonly sessionId: string
  readonly items: readonly AgentTimelineItem[]
  readonly wire: Pick<AgentConnectionView, 'runId' | 'state' | 'resumedAt' | 'isFollowed'> | undefined
}

/** Tells what of a timeline is news. */
export interface Announcer {
  look(timeline: AnnouncedTimeline): void
  stop(): void
}

/** How long after a run was taken up again what comes of it is what was missed, in milliseconds. */
const catchingUp = 1000

/**
 * Makes what says that an item has finished or needs the person. What was there before is no news: nor is what comes
 * with a run that was not known, as it is restored, nor what such a run's wire then catches up with. What asks the
 * person is told once it has caught up, if it was not there before and still waits.
 */
export function createAnnouncer(say: (items: readonly AgentTimelineItem[]) => void): Announcer {
  let last: { sessionId: string; runs: ReadonlySet<string>; known: ReadonlySet<string>; open: ReadonlySet<string> } | undefined
  let items: readonly AgentTimelineItem[] = []
  /** What asked while the run was caught up with, by key. */
  let missed: Set<string> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function stop() {
    clearTimeout(timer)
    timer = undefined
    missed = undefined
  }

  function finish() {
    const asking = items.filter((item) => isOpenItem(item) && missed?.has(getItemKey(item)))
    stop()
    if (asking.length > 0) say(asking)
  }

  function findNews({ known, open, runs }: NonNullable<typeof last>) {
    return items.filter((item) => {
      if (!runs.has(item.runId)) return false
      const key = getItemKey(item)
      const isNew = !known.has(key)
      return isOpenItem(item) ? isNew && item.kind === 'approval' : isNew || open.has(key)
    })
  }

  return {
    stop,
    look({ sessionId, wire, ...timeline }) {
      const before = last?.sessionId === sessionId ? last : undefined
      items = timeline.items
      const runs = new Set(items.map(({ runId }) => runId))
      if (!before) stop()
      const isUnknown = [...runs].some((runId) => !before?.runs.has(runId)) || (!before && wire !== undefined)
      if (isUnknown && isTakenUp(wire)) missed ??= new Set()
      last = {
        sessionId,
        runs: wire ? runs.add(wire.runId) : runs,
        known: new Set(items.map(getItemKey)),
        open: new Set(items.filter(isOpenItem).map(getItemKey)),
      }
      const news = before ? findNews(before) : []
      if (!missed) return news.length > 0 ? say(news) : undefined
      for (const item of news) if (item.kind === 'approval') missed.add(getItemKey(item))
      if (wire?.state !== 'reconnecting' && wire?.state !== 'connecting') timer ??= setTimeout(finish, catchingUp)
    },
  }
}

/** Whether a run's wire brings, or brought, what was before it was opened. */
function isTakenUp(wire: AnnouncedTimeline['wire']): boolean {
  return wire?.state === 'reconnecting' || wire?.resumedAt !== undefined || wire?.isFollowed === true
}
