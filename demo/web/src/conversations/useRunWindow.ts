import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import type { ConversationRun } from './conversationRun.ts'

const lineLength = 52
const lineHeight = 21
const gap = 24

/** About how high a run will be, until it is measured. */
function estimate({ messages }: ConversationRun): number {
  const lines = messages.map(({ content }) => Math.ceil((typeof content === 'string' ? content.length : 80) / lineLength))
  return lines.reduce((sum, count) => sum + 46 + Math.max(1, count) * lineHeight, 32)
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
  // Its functions are called while rendering, in the one component that has it: nothing of it is memoized.
  // eslint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: runs.length,
    getScrollElement: () => scrollerRef.current,
    estimateSize: (index) => estimate(runs[index]!),
    getItemKey: (index) => runs[index]!.runId,
    overscan: 3,
    gap,
    // What comes in while the page scrolls is measured in the frame that shows it.
    useFlushSync: false,
  })
  const items = virtualizer.getVirtualItems()

  const firstId = useRef<string>(undefined)
  useLayoutEffect(() => {
    const before = firstId.current
    firstId.current = runs[0]?.runId
    if (before === undefined || before === firstId.current) return
    const index = runs.findIndex(({ runId }) => runId === before)
    const added = index > 0 ? virtualizer.measurementsCache[index]?.start : undefined
    if (added !== undefined && scrollerRef.current) scrollerRef.current.scrollTop += added
  }, [runs, scrollerRef, virtualizer])

  const firstIndex = items[0]?.index
  useEffect(() => {
    // A conversation that fits is not at its start because somebody went there.
    if (firstIndex === 0 && (scrollerRef.current?.scrollTop ?? 0) < 600) onNearStart()
  }, [firstIndex, onNearStart, scrollerRef])

  return { virtualizer, items }
}
