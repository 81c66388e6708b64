import { memo, useEffect, useRef } from 'react'
import type { DiffLine } from './createDocumentDiff.ts'

const signs = { same: '\u00a0', added: '+', removed: '−' } as const
const words = { same: '', added: 'Added: ', removed: 'Removed: ' } as const

interface DiffLineRowProps {
  readonly line: DiffLine
  /** Whether it comes in the place of a button that had the focus. */
  readonly takesFocus?: boolean
}

function Row({ line, takesFocus = false }: DiffLineRowProps) {
  const rowRef = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (takesFocus) rowRef.current?.focus({ preventScroll: true })
  }, [takesFocus])
  const Mark = line.kind === 'added' ? 'ins' : 'del'
  return (
    <li className="document-diff-line" data-kind={line.kind} ref={rowRef} tabIndex={takesFocus ? -1 : undefined}>
      <span className="document-diff-number" aria-hidden="true">
        {line.newNumber ?? line.oldNumber}
      </span>
      <span className="document-diff-sign" aria-hidden="true">
        {signs[line.kind]}
      </span>
      <span className="document-diff-text">
        <span className="visually-hidden">{words[line.kind]}</span>
        {line.parts.map((part, index) => {
          if (part.isCut) return <Cut key={index} />
          return part.changed ? <Mark key={index}>{part.text}</Mark> : part.text
        })}
      </span>
    </li>
  )
}

function Cut() {
  return (
    <span className="document-diff-cut" title="Unchanged words are left out here. “Show all” has them.">
      <span aria-hidden="true">…</span>
      <span className="visually-hidden"> (unchanged words left out) </span>
    </span>
  )
}

/** One line of a diff: its number, its sign, its words. */
export const DiffLineRow = memo(Row)
