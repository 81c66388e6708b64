import { diffArrays, diffWordsWithSpace } from 'diff'

/** A piece of a changed line; `changed` marks the words that differ from the line's counterpart. */
export interface DiffPart {
  readonly text: string
  readonly changed: boolean
  /** Whether it stands for unchanged words that are left out. */
  readonly isCut?: boolean
}

/** One line: `same` has both line numbers (from 1), `removed` the old one, `added` the new one. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly oldNumber: number | undefined
  readonly newNumber: number | undefined
  readonly parts: readonly DiffPart[]
}

// Past these, finding the shortest difference could hold up the page: the text is then shown as replaced.
const maxLineEdits = 600
const maxWordEdits = 120
const maxWordLineLength = 4000
const maxWordPairs = 200

const splitLines = (text: string) => (text === '' ? [] : text.split(/\r\n|\r|\n/))
const whole = (text: string): DiffPart[] => [{ text, changed: false }]

/** The lines of two texts, in order, as unchanged, removed and added; kinds of line ending make no difference. */
export function createDocumentDiff(before: string, after: string): DiffLine[] {
  const lines: DiffLine[] = []
  let oldNumber = 1
  let newNumber = 1
  let wordPairs = 0
  let removed: readonly string[] = []

  const flush = (added: readonly string[]) => {
    const compared = removed.slice(0, Math.min(added.length, maxWordPairs - wordPairs))
    const pairs = compared.map((line, index) => diffWordPair(line, added[index] ?? ''))
    wordPairs += compared.length
    removed.forEach((text, index) => {
      const parts = pairs[index]?.[0] ?? whole(text)
      lines.push({ kind: 'removed', oldNumber: oldNumber++, newNumber: undefined, parts })
    })
    added.forEach((text, index) => {
      const parts = pairs[index]?.[1] ?? whole(text)
      lines.push({ kind: 'added', oldNumber: undefined, newNumber: newNumber++, parts })
    })
    removed = []
  }

  for (const change of diffLineArrays(splitLines(before), splitLines(after))) {
    if (change.removed) {
      removed = change.value
    } else if (change.added) {
      flush(change.value)
    } else {
      flush([])
      for (const text of change.value) {
        lines.push({ kind: 'same', oldNumber: oldNumber++, newNumber: newNumber++, parts: whole(text) })
      }
    }
  }
  flush([])
  return lines
}

interface LineChange {
  readonly value: string[]
  readonly added?: boolean
  readonly removed?: boolean
}

function diffLineArrays(before: string[], after: string[]): readonly LineChange[] {
  const changes = diffArrays(before, after, { maxEditLength: maxLineEdits })
  if (changes) return changes

  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return [
    { value: before.slice(0, start) },
    { value: before.slice(start, before.length - end), removed: true },
    { value: after.slice(start, after.length - end), added: true },
    { value: before.slice(before.length - end) },
  ]
}

/** The words in which two lines differ, or nothing where the lines have too little in common to be compared. */
function diffWordPair(before: string, after: string): [DiffPart[], DiffPart[]] | undefined {
  if (before.length > maxWordLineLength || after.length > maxWordLineLength) return undefined
  const changes = diffWordsWithSpace(before, after, { maxEditLength: maxWordEdits })
  if (!changes) return undefined
  const common = changes.reduce((length, { value, added, removed }) => {
    return added || removed ? length : length + value.trim().length
  }, 0)
  if (common * 3 < Math.max(before.trim().length, after.trim().length)) return undefined

  const partsWithout = (other: 'added' | 'removed') =>
    changes
      .filter((change) => !change[other])
      .map(({ value, added, removed }) => ({ text: value, changed: added || removed }))
  return [partsWithout('added'), partsWithout('removed')]
}
