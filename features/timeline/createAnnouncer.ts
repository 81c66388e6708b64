import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import { getItemKey } from './getItemKey.ts'
import { isOpenItem } from './isOpenItem.ts'
import type { TakeUp } from './selectTakeUp.ts'

/** A timeline as it is looked at. */
export interface AnnouncedTimeline {
  readonly sessionId: string
  readonly items: readonly AgentTimelineItem[]
  /** Whether what is stored of the session may still be put in place. */
  readonly isUnread: boolean
  /** The runs that have a wire, also those that have no item yet. */
  readonly runIds: readonly string[]
  takeUpOf(runId: string): TakeUp
}

/** Tells what of a timeline is news. */
export interface Announcer {
  look(timeline: AnnouncedTimeline): void
  stop(): void
}

/** How long after a run was taken up again what comes of it is what was missed, in milliseconds. */
const catchingUp = 1000

interface Seen {
  readonly sessionId: string
  readonly runs: Set<string>
  readonly keys: Set<string>
  open: ReadonlySet<string>
  isUnread: boolean
}

/**
 * Makes what says that an item has finished or needs the person. What was there before is no news: nor is what is put
 * in place as the session is restored, nor what the wire of a run then catches up with. What asks the person is told
 * once the run has caught up, if it was not there before and still waits.
 */
export function createAnnouncer(say: (items: readonly AgentTimelineItem[]) => void): Announcer {
  let seen: Seen | undefined
  let items: readonly AgentTimelineItem[] = []
  /** What asked while its run was caught up with, by run; a run whose time is running has its timer in `timers`. */
  const catching = new Map<string, { readonly asked: Set<string>; isTimed: boolean }>()
  const timers = new Set<ReturnType<typeof setTimeout>>()

  function stop() {
    timers.forEach(clearTimeout)
    timers.clear()
    catching.clear()
  }

  /** Runs that have caught up together are told of at once: a second word would take the first one's place. */
  function startTimer(runIds: readonly string[]) {
    const timer = setTimeout(() => {
      timers.delete(timer)
      const asking = items.filter(
        (item) => runIds.includes(item.runId) && isOpenItem(item) && catching.get(item.runId)?.asked.has(getItemKey(item)),
      )
      for (const runId of runIds) catching.delete(runId)
      if (asking.length > 0) say(asking)
    }, catchingUp)
    timers.add(timer)
  }

  function findNews({ runs, keys, open }: Seen, isPutInPlace: boolean) {
    return items.filter((item) => {
      if (isPutInPlace && !runs.has(item.runId)) return false
      const key = getItemKey(item)
      const isNew = !keys.has(key)
      return isOpenItem(item) ? isNew && item.kind === 'approval' : isNew || open.has(key)
    })
  }

  /** Keeps what asks in a run that is being caught up with for later, and leaves out the rest of it. */
  function isToldNow(item: AgentTimelineItem): boolean {
    const run = catching.get(item.runId)
    if (item.kind === 'approval') run?.asked.add(getItemKey(item))
    return !run
  }

  return {
    stop,
    look({ sessionId, isUnread, runIds, takeUpOf, ...timeline }) {
      const before = seen?.sessionId === sessionId ? seen : undefined
      if (!before) stop()
      const now = before ?? { sessionId, runs: new Set(), keys: new Set(), open: new Set(), isUnread }
      items = timeline.items
      const news = before ? findNews(before, before.isUnread && !isUnread) : []
      for (const runId of new Set([...runIds, ...items.map((item) => item.runId)])) {
        if (!now.runs.has(runId) && takeUpOf(runId) !== 'none') catching.set(runId, { asked: new Set(), isTimed: false })
        now.runs.add(runId)
      }
      // What was seen once stays known: as time travel comes back to it, it is no news.
      for (const item of items) now.keys.add(getItemKey(item))
      now.open = new Set(items.filter(isOpenItem).map(getItemKey))
      now.isUnread = isUnread
      seen = now
      const told = news.filter(isToldNow)
      if (told.length > 0) say(told)
      const caught = [...catching].filter(([runId, run]) => !run.isTimed && takeUpOf(runId) !== 'underWay')
      for (const [, run] of caught) run.isTimed = true
      if (caught.length > 0) startTimer(caught.map(([runId]) => runId))
    },
  }
}
