import { useEffect, useState, type RefObject } from 'react'

// As in DocumentDiff.css: what the fade at the lower edge covers, in pixels.
const fade = 48
// Of a long new stretch this much is enough to see that there is one.
const enough = 60
const highest = 720

/**
 * How high a folded box of lines has to be, in pixels, so that its first new words are in clear view, and how many of
 * its changes begin above its lower edge then, with what went and what came; both 0 at first.
 */
export function useFoldHeight(boxRef: RefObject<HTMLElement | null>): { height: number; reached: number } {
  const [fold, setFold] = useState({ height: 0, reached: 0 })

  useEffect(() => {
    const box = boxRef.current
    if (!box) return
    const measure = () => {
      const beginnings = findBeginnings(box)
      const start = box.getBoundingClientRect().top - box.scrollTop
      const ends = beginnings.map((line) => {
        const { top, bottom } = (line.querySelector('ins, del') ?? line).getBoundingClientRect()
        return Math.min(bottom, top + enough) - start
      })
      const first = ends[beginnings.findIndex((line) => line.dataset.kind === 'added')]
      const needed = first === undefined ? 0 : Math.min(Math.ceil(first + fade), highest)
      const { scrollTop, scrollHeight } = box
      setFold((last) => {
        // It only grows: a scrollbar that came and went with it would change the height again.
        const height = Math.max(last.height, needed, getLowest())
        const edge = scrollTop + height
        const reached = ends.filter((end) => end <= (scrollHeight > edge + 1 ? edge - fade : scrollHeight)).length
        return last.height === height && last.reached === reached ? last : { height, reached }
      })
    }
    const observer = new ResizeObserver(measure)
    for (const watched of [box, ...box.children]) observer.observe(watched)
    box.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', measure)
    }
  }, [boxRef])

  return fold
}

// As in DocumentDiff.css, for a window that is high enough.
const usual = 296
// Some seven lines: less shows no change with what is around it.
const smallest = 160
// What stands above and below the box, in pixels: on a narrow page words wrap, and the columns' bar takes its place.
const around = { wide: 530, narrow: 640 }

/** How high a folded box is at the least: what asks about it, and the buttons below it, are to be seen at once. */
function getLowest(): number {
  const room = window.innerHeight - (window.innerWidth < 720 ? around.narrow : around.wide)
  return Math.min(usual, Math.max(smallest, room))
}

/** The first new line of each change, or the first removed one where nothing came; unchanged lines part the changes. */
function findBeginnings(box: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = []
  let isWithin = false
  for (const line of box.querySelectorAll<HTMLElement>('[data-kind]')) {
    const { kind } = line.dataset
    if (kind === 'same') isWithin = false
    else if (!isWithin) isWithin = found.push(line) > 0
    else if (kind === 'added' && found.at(-1)!.dataset.kind === 'removed') found[found.length - 1] = line
  }
  return found
}
