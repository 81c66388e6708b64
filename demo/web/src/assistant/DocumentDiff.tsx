import './DocumentDiff.css'
import { useId, useMemo, useState } from 'react'
import { createDocumentDiff } from './createDocumentDiff.ts'
import { DiffLineRow } from './DiffLineRow.tsx'
import { foldDiffLines } from './foldDiffLines.ts'

interface DocumentDiffProps {
  readonly before: string
  readonly after: string
  /** What the difference is of, for its caption and its region's name. */
  readonly label: string
  /** With it the text that is proposed can be edited; it is told each new text, and `after` shall follow. */
  readonly onAfterChange?: (after: string) => void
  /** Whether the field for editing stands open at first. */
  readonly defaultEditing?: boolean
}

// A text of megabytes may differ in every line; more than this at once would only hold up the page.
const linesAtOnce = 400

/** Two versions of a text, line by line: changed words are marked, and long unchanged stretches fold away. */
export function DocumentDiff({ before, after, label, onAfterChange, defaultEditing = false }: DocumentDiffProps) {
  const id = useId()
  const [isEditing, setEditing] = useState(defaultEditing)
  const lines = useMemo(() => createDocumentDiff(before, after), [before, after])
  const added = lines.filter(({ kind }) => kind === 'added').length
  const removed = lines.filter(({ kind }) => kind === 'removed').length
  const showsField = isEditing && onAfterChange !== undefined

  return (
    <figure className="document-diff" aria-labelledby={`${id}-label`}>
      <figcaption className="document-diff-head">
        <span id={`${id}-label`} className="document-diff-label">
          {label}
        </span>
        <span className="document-diff-count">
          <span className="document-diff-plus">
            +{added}
            <span className="visually-hidden"> {added === 1 ? 'line' : 'lines'} added</span>
          </span>{' '}
          <span className="document-diff-minus">
            −{removed}
            <span className="visually-hidden"> {removed === 1 ? 'line' : 'lines'} removed</span>
          </span>
        </span>
        {onAfterChange && (
          <button type="button" className="link-button" aria-pressed={isEditing} onClick={() => setEditing(!isEditing)}>
            Edit
          </button>
        )}
      </figcaption>
      {showsField ? (
        <div className="document-diff-edit">
          <label htmlFor={`${id}-after`}>New text</label>
          <textarea
            id={`${id}-after`}
            className="field"
            value={after}
            rows={Math.min(16, Math.max(6, after.split('\n').length + 1))}
            onChange={(event) => onAfterChange(event.target.value)}
          />
        </div>
      ) : (
        <DiffBody lines={lines} label={label} areEqual={before === after} />
      )}
    </figure>
  )
}

interface DiffBodyProps {
  readonly lines: ReturnType<typeof createDocumentDiff>
  readonly label: string
  readonly areEqual: boolean
}

function DiffBody({ lines, label, areEqual }: DiffBodyProps) {
  const blocks = useMemo(() => foldDiffLines(lines), [lines])
  const [unfolded, setUnfolded] = useState<readonly string[]>([])
  const [limit, setLimit] = useState(linesAtOnce)

  if (lines.every(({ kind }) => kind === 'same')) {
    return (
      <p className="document-diff-none">{areEqual ? 'The texts are the same.' : 'Only the line endings differ.'}</p>
    )
  }

  let room = limit
  const take = (block: (typeof blocks)[number]) => {
    const taken = block.lines.slice(0, Math.max(0, room))
    room -= block.lines.length
    return taken
  }

  return (
    <>
      <div className="document-diff-scroll" role="region" aria-label={label} tabIndex={0}>
        <ol className="document-diff-lines">
          {blocks.map((block) => {
            if (room <= 0) return null
            if (block.kind === 'lines' || unfolded.includes(block.key)) {
              return take(block).map((line) => (
                <DiffLineRow key={`${line.kind}-${line.newNumber ?? line.oldNumber}`} line={line} />
              ))
            }
            return (
              <li key={block.key} className="document-diff-fold">
                <button type="button" onClick={() => setUnfolded([...unfolded, block.key])}>
                  Show {block.lines.length} unchanged lines
                </button>
              </li>
            )
          })}
        </ol>
      </div>
      {room < 0 && (
        <button type="button" className="document-diff-more" onClick={() => setLimit(limit + linesAtOnce)}>
          Show more lines
        </button>
      )}
    </>
  )
}
