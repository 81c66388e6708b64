import type { DiffLine, DiffPart } from './createDocumentDiff.ts'

const around = 48
const cut: DiffPart = { text: '…', changed: false, isCut: true }
const keep = (text: string): DiffPart => ({ text, changed: false })
const maxUnmarked = 140

/**
 * Shortens a line to what its change is about: long unchanged stretches give way to `…`, so that what went and what
 * came can be seen together. New text is never shortened; a line that is short already is given back as it is.
 */
export function foldLongParts(line: DiffLine): DiffLine {
  const { kind, parts } = line
  const isMarked = parts.some(({ changed }) => changed)
  const shortened = isMarked ? foldAroundMarks(parts) : kind === 'added' ? parts : foldEnd(parts)
  return shortened.every((part, index) => part === parts[index]) ? line : { ...line, parts: shortened }
}

function foldAroundMarks(parts: readonly DiffPart[]): DiffPart[] {
  return parts.flatMap((part, index) => {
    if (part.changed) return part
    const head = index === 0 ? '' : takeHead(part.text)
    const tail = index === parts.length - 1 ? '' : takeTail(part.text)
    // Less than this saves nothing.
    if (head.length + tail.length + 8 > part.text.length) return part
    return [keep(head), cut, keep(tail)].filter(({ text }) => text !== '')
  })
}

function foldEnd(parts: readonly DiffPart[]): DiffPart[] {
  return parts.flatMap((part) => {
    return part.text.length <= maxUnmarked + 8 ? part : [keep(takeHead(part.text, maxUnmarked)), cut]
  })
}

/** The beginning of a text, up to the end of a word where there is one near. */
function takeHead(text: string, length = around): string {
  const start = text.slice(0, length)
  const end = start.lastIndexOf(' ')
  return end > length / 2 ? start.slice(0, end + 1) : toWhole(start)
}

function takeTail(text: string): string {
  const end = text.slice(-around)
  const start = end.indexOf(' ')
  return start !== -1 && start < around / 2 ? end.slice(start) : toWhole(end)
}

/** Without the half of a character that a cut may leave. */
const toWhole = (text: string) => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
