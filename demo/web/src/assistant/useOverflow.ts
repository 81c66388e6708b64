import { useEffect, useState, type RefObject } from 'react'

/** Whether a box holds more than it shows, and whether there is more below what it shows now. */
export function useOverflow(boxRef: RefObject<HTMLElement | null>) {
  const [overflow, setOverflow] = useState({ isOver: false, isMoreBelow: false })

  useEffect(() => {
    const box = boxRef.current
    if (!box) return
    const measure = () => {
      const hidden = box.scrollHeight - box.clientHeight
      const next = { isOver: hidden > 1, isMoreBelow: hidden - box.scrollTop > 1 }
      setOverflow((last) => (last.isOver === next.isOver && last.isMoreBelow === next.isMoreBelow ? last : next))
    }
    const observer = new ResizeObserver(measure)
    for (const watched of [box, ...box.children]) observer.observe(watched)
    box.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', measure)
    }
  }, [boxRef])

  return overflow
}
