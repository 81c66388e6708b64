import { useEffect, useState, type RefObject } from 'react'

/** Says whether a box holds more than it shows, also while it grows; `false` until it was measured. */
export function useIsScrolling(box: RefObject<HTMLElement | null>): boolean {
  const [isScrolling, setIsScrolling] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => setIsScrolling(element.scrollHeight > element.clientHeight + 1))
    // The box keeps its height once it is full; what is in it goes on growing.
    for (const watched of [element, ...element.children]) observer.observe(watched)
    return () => observer.disconnect()
  }, [box])
  return isScrolling
}
