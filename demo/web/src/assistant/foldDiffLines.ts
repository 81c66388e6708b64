import type { DiffLine } from './createDocumentDiff.ts'

/** Lines to show as they are, or a stretch of unchanged or removed ones that is folded away. */
export type DiffBlock =
  | { readonly kind: 'lines'; readonly key: string; readonly lines: readonly DiffLine[] }
  | { readonly kind: 'fold'; readonly key: string; readonly lines: readonly DiffLine[] }

const context = 2
// Folding fewer lines than this hides more than it saves.
const minFold = 4

/**
 * Cuts a diff into blocks, so that only `context` unchanged lines stand on either side of each change, and as many
 * removed ones before those that replace them: what is new must not be pushed out of view by what it replaces.
 */
export function foldDiffLines(lines: readonly DiffLine[]): DiffBlock[] {
  const blocks: DiffBlock[] = []
  const push = (kind: DiffBlock['kind'], from: number, to: number) => {
    if (to > from) blocks.push({ kind, key: `${kind}-${from}`, lines: lines.slice(from, to) })
  }

  let shownFrom = 0
  let index = 0
  while (index < lines.length) {
    const start = index
    while (lines[index]?.kind === 'same') index += 1
    const foldStart = start === 0 ? 0 : start + context
    const foldEnd = index === lines.length ? index : index - context
    if (foldEnd - foldStart >= minFold) {
      push('lines', shownFrom, foldStart)
      push('fold', foldStart, foldEnd)
      shownFrom = foldEnd
    }
    if (index > start) continue
    while (lines[index]?.kind === 'removed') index += 1
    const isReplaced = lines[index]?.kind === 'added'
    if (isReplaced && index - start - context >= minFold) {
      push('lines', shownFrom, start + context)
      push('fold', start + context, index)
      shownFrom = index
    }
    if (index === start) index += 1
  }
  push('lines', shownFrom, lines.length)
  return blocks
}
