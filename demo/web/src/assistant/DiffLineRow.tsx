import { memo } from 'react'
import type { DiffLine } from './createDocumentDiff.ts'

const signs = { same: '\u00a0', added: '+', removed: '−' } as const
const words = { same: '', added: 'Added: ', removed: 'Removed: ' } as const

function Row({ line }: { readonly line: DiffLine }) {
  const Mark = line.kind === 'added' ? 'ins' : 'del'
  return (
    <li className="document-diff-line" data-kind={line.kind}>
      <span className="document-diff-number" aria-hidden="true">
        {line.newNumber ?? line.oldNumber}
      </span>
      <span className="document-diff-sign" aria-hidden="true">
        {signs[line.kind]}
      </span>
      <span className="document-diff-text">
        <span className="visually-hidden">{words[line.kind]}</span>
        {line.parts.map((part, index) => (part.changed ? <Mark key={index}>{part.text}</Mark> : part.text))}
      </span>
    </li>
  )
}

/** One line of a diff: its number, its sign, its words. */
export const DiffLineRow = memo(Row)
