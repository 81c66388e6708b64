import { useCallback, useEffect, useRef, useState } from 'react'

// Less than a line from the end still counts as the end: zoomed pages scroll by fractions of a pixel.
const slack = 16

const inputs = ['wheel', 'touchmove', 'pointerdown', 'keydown']

/**
 * Keeps a scrolling box at its end while it grows, until the person scrolls up, and again once they come back to the
 * end or `follow` is called. `isBehind` says that there is more below than they see.
 */
export function useFollowBottom() {
  const scrollerRef = useRef<HTMLDivElement>(null)
  const contentRef = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  /** Where the box was when it was last heard of, or when this itself moved it: anything above is the reader's doing. */
  const lastTop = useRef(0)
  const [isBehind, setBehind] = useState(false)

  // A reader's turn of the wheel in the same frame is told together with this move, as one: it would seem to lead down.
  const goToEnd = useCallback((scroller: HTMLElement) => {
    scroller.scrollTop = scroller.scrollHeight
    lastTop.current = scroller.scrollTop
  }, [])

  useEffect(() => {
    const scroller = scrollerRef.current!
    lastTop.current = scroller.scrollTop
    let isReader = false
    const getDistance = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight
    const isAtEnd = () => getDistance() <= slack

    // A box may also scroll because what holds the focus went, or because it shrank: only the reader ends following.
    const onInput = (event: Event) => {
      const isPress = event instanceof KeyboardEvent && (event.key === 'Enter' || event.key === ' ')
      const isOnControl = event.target instanceof Element && event.target.closest('button, a') !== null
      if (!isPress && !(event.type === 'pointerdown' && isOnControl)) isReader = true
    }
    const onScroll = () => {
      const isUpwards = scroller.scrollTop < lastTop.current
      // A turn of the wheel begins with a pixel or two: going up ends following however near the end still is.
      if (isReader && isUpwards && getDistance() > 1) {
        isFollowing.current = false
      } else if (isAtEnd()) {
        isFollowing.current = true
        isReader = false
      }
      lastTop.current = scroller.scrollTop
      setBehind(!isFollowing.current)
    }
    // What the person unfolds shall stay where they look, not be pushed up by its own growth.
    const onClick = (event: MouseEvent) => {
      if (event.target instanceof Element && event.target.closest('[aria-expanded]')) isFollowing.current = false
    }
    // It is told after layout and before paint, so that a line never shows up below the edge first.
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) goToEnd(scroller)
      else setBehind(!isAtEnd())
    })
    scroller.addEventListener('scroll', onScroll, { passive: true })
    for (const type of inputs) scroller.addEventListener(type, onInput, { passive: true })
    scroller.addEventListener('click', onClick, { capture: true })
    observer.observe(scroller)
    observer.observe(contentRef.current!)
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', onScroll)
      for (const type of inputs) scroller.removeEventListener(type, onInput)
      scroller.removeEventListener('click', onClick, { capture: true })
    }
  }, [goToEnd])

  const follow = useCallback(() => {
    isFollowing.current = true
    setBehind(false)
    if (scrollerRef.current) goToEnd(scrollerRef.current)
  }, [goToEnd])

  return { scrollerRef, contentRef, isBehind, follow }
}
