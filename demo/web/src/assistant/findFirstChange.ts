import type { DiffLine } from './createDocumentDiff.ts'

/** Where in the new text its first changed line begins; where lines only went, the line that follows them. */
export function findFirstChange(lines: readonly DiffLine[], after: string): number {
  const index = lines.findIndex(({ kind }) => kind !== 'same')
  if (index === -1) return 0
  const lineNumber = lines.slice(index).find(({ newNumber }) => newNumber !== undefined)?.newNumber
  if (lineNumber === undefined) return after.length
  const ends = after.matchAll(/\r\n|\r|\n/g)
  let offset = 0
  for (let line = 1; line < lineNumber; line += 1) {
    const end = ends.next().value
    if (!end) break
    offset = end.index + end[0].length
  }
  return offset
}
