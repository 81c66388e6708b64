import { useEffect, useState, type RefObject } from 'react'

// As in DocumentDiff.css: what the fade at the lower edge covers, in pixels.
const fade = 48
// Of a long new stretch this much is enough to see that there is one.
const enough = 60
const highest = 720

/** How high a folded box of lines has to be, in pixels, so that its first new words are in clear view; 0 at first. */
export function useFoldHeight(boxRef: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0)

  useEffect(() => {
    const box = boxRef.current
    if (!box) return
    const measure = () => {
      const line = box.querySelector('[data-kind="added"]')
      if (!line) return
      const { top, bottom } = (line.querySelector('ins') ?? line).getBoundingClientRect()
      const end = Math.min(bottom, top + enough) - box.getBoundingClientRect().top + box.scrollTop
      // It only grows: a scrollbar that came and went with it would change the height again.
      setHeight((last) => Math.max(last, Math.min(Math.ceil(end + fade), highest)))
    }
    const observer = new ResizeObserver(measure)
    for (const watched of [box, ...box.children]) observer.observe(watched)
    return () => observer.disconnect()
  }, [boxRef])

  return height
}
