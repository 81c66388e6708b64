import { measureElement, useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { ConversationRun } from './conversationRun.ts'

const lineLength = 52
const lineHeight = 21
const paragraphGap = 9
/** What stands around a message's text, and below a run; in pixels, as all of these. */
const messageFrame = 46
const statusHeight = 32
const gap = 24
/** From how far off, in pixels, what was before is asked for. */
const nearStart = 600

/** About how high a run will be, until it is measured. */
function estimate({ messages }: ConversationRun): number {
  const heightOf = (line: string) => (line === '' ? paragraphGap : Math.ceil(line.length / lineLength) * lineHeight)
  return messages.reduce((sum, { content }) => {
    const lines = typeof content === 'string' ? content.split('\n') : ['']
    return sum + messageFrame + lines.reduce((height, line) => height + heightOf(line), 0)
  }, statusHeight)
}

/**
 * Renders of a long conversation what is in view and a little around it. Where older runs come in before, what the
 * person reads stays where it is.
 */
export function useRunWindow(options: {
  runs: readonly ConversationRun[]
  scrollerRef: RefObject<HTMLElement | null>
  onNearStart: () => void
}) {
  const { runs, scrollerRef, onNearStart } = options
  /** Which runs are whole, and were when they were measured before: until then their messages alone are there. */
  const wholeness = useRef(new Map<unknown, { was: boolean; is: boolean }>())
  // Its functions are called while rendering, in the one component that has it: nothing of it is memoized.
  // eslint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: runs.length,
    getScrollElement: () => scrollerRef.current,
    estimateSize: (index) => estimate(runs[index]!),
    getItemKey: (index) => runs[index]!.runId,
    overscan: 3,
    gap,
    measureElement: (element, entry, instance) => {
      const key = runs[instance.indexFromElement(element)]?.runId
      const is = element.querySelector('[data-whole="true"]') !== null
      wholeness.current.set(key, { was: wholeness.current.get(key)?.is ?? false, is })
      return measureElement(element, entry, instance)
    },
    // What comes in while the page scrolls is measured in the frame that shows it.
    useFlushSync: false,
  })
  const items = virtualizer.getVirtualItems()
  const getHeight = useCallback((runId: string) => virtualizer.itemSizeCache.get(runId), [virtualizer])

  // Where a run changes its size above what is read, what is read stays. By itself the virtualizer leaves that out while
  // the reader scrolls up, which is when runs above are loaded. One that is becoming whole grows before its answer, so
  // that its end is what stays; one that is whole grows where it ends, or where the reader unfolds something of it.
  useLayoutEffect(() => {
    virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({ key, start, size }, _delta, { scrollOffset }) => {
      const offset = scrollOffset ?? 0
      return wholeness.current.get(key)?.was ? start + size <= offset : start < offset
    }
  }, [virtualizer])

  // The box around is there once this has been mounted: only then is known what of it is in view.
  const [isMounted, setMounted] = useState(false)
  useLayoutEffect(() => setMounted(true), [])

  const firstId = useRef<string>(undefined)
  useLayoutEffect(() => {
    const before = firstId.current
    firstId.current = runs[0]?.runId
    if (before === undefined || before === firstId.current) return
    const index = runs.findIndex(({ runId }) => runId === before)
    const added = index > 0 ? virtualizer.measurementsCache[index]?.start : undefined
    if (added !== undefined && scrollerRef.current) scrollerRef.current.scrollTop += added
  }, [runs, scrollerRef, virtualizer])

  // The box itself says where it stands: what the virtualizer knows comes a frame later, and never where the reader was
  // back at the start by then. It is asked at each scroll, and whenever more can be asked for or other runs are there.
  const hasScrolled = useRef(false)
  useEffect(() => {
    const scroller = scrollerRef.current
    if (!scroller) return
    const askNearStart = () => {
      // Before it has gone to its end, a box that overflows is at its start because nobody has moved it yet.
      hasScrolled.current ||= scroller.scrollTop > 0
      const isRoomLeft = scroller.scrollHeight <= scroller.clientHeight
      if ((hasScrolled.current || isRoomLeft) && scroller.scrollTop < nearStart) onNearStart()
    }
    askNearStart()
    scroller.addEventListener('scroll', askNearStart, { passive: true })
    return () => scroller.removeEventListener('scroll', askNearStart)
  }, [onNearStart, runs, scrollerRef, isMounted])

  return { virtualizer, items, getHeight }
}
