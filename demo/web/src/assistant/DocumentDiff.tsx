import './DocumentDiff.css'
import { useDeferredValue, useId, useMemo, useState } from 'react'
import { createDocumentDiff, type DiffLine } from './createDocumentDiff.ts'
import { DiffLineRow } from './DiffLineRow.tsx'
import { foldDiffLines, type DiffBlock } from './foldDiffLines.ts'

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
const rowsAtOnce = 400

/** Two versions of a text, line by line: changed words are marked, and long unchanged stretches fold away. */
export function DocumentDiff({ before, after, label, onAfterChange, defaultEditing = false }: DocumentDiffProps) {
  const id = useId()
  const [isEditing, setEditing] = useState(defaultEditing)
  // Typing goes before counting: in a long text the difference may take longer than a keystroke.
  const settledAfter = useDeferredValue(after)
  const lines = useMemo(() => createDocumentDiff(before, settledAfter), [before, settledAfter])
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
          <button type="button" className="link-button" onClick={() => setEditing(!isEditing)}>
            {isEditing ? 'Done' : 'Edit'}
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
  readonly lines: readonly DiffLine[]
  readonly label: string
  readonly areEqual: boolean
}

function DiffBody({ lines, label, areEqual }: DiffBodyProps) {
  const blocks = useMemo(() => foldDiffLines(lines), [lines])
  const [unfolded, setUnfolded] = useState<readonly string[]>([])
  const [limit, setLimit] = useState(rowsAtOnce)

  if (lines.every(({ kind }) => kind === 'same')) {
    return (
      <p className="document-diff-none">{areEqual ? 'The texts are the same.' : 'Only the line endings differ.'}</p>
    )
  }

  const rows = blocks.flatMap((block): readonly (DiffLine | DiffBlock)[] =>
    block.kind === 'lines' || unfolded.includes(block.key) ? block.lines : [block],
  )

  return (
    <>
      {/* It must take the focus, or it could not be scrolled by keyboard; a region each would crowd the landmarks. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="document-diff-scroll" role="group" aria-label={label} tabIndex={0}>
        <ol className="document-diff-lines">
          {rows.slice(0, limit).map((row) =>
            'lines' in row ? (
              <li key={row.key} className="document-diff-fold">
                <button type="button" onClick={() => setUnfolded([...unfolded, row.key])}>
                  Show {row.lines.length} unchanged lines
                </button>
              </li>
            ) : (
              <DiffLineRow key={`${row.kind}-${row.newNumber ?? row.oldNumber}`} line={row} />
            ),
          )}
        </ol>
      </div>
      {rows.length > limit && (
        <button type="button" className="document-diff-more" onClick={() => setLimit(limit + rowsAtOnce)}>
          Show more lines
        </button>
      )}
    </>
  )
}
