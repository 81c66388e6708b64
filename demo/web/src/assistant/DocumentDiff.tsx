import './DocumentDiff.css'
import { useDeferredValue, useId, useMemo, useState } from 'react'
import { createDocumentDiff } from './createDocumentDiff.ts'
import { DiffBody } from './DiffBody.tsx'
import { DiffTextField } from './DiffTextField.tsx'
import { findFirstChange } from './findFirstChange.ts'

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
          {added > 0 && (
            <span className="document-diff-plus">
              +{added}
              <span className="visually-hidden"> {added === 1 ? 'line' : 'lines'} added</span>
            </span>
          )}{' '}
          {removed > 0 && (
            <span className="document-diff-minus">
              −{removed}
              <span className="visually-hidden"> {removed === 1 ? 'line' : 'lines'} removed</span>
            </span>
          )}
        </span>
        {onAfterChange && (
          <button type="button" className="link-button" onClick={() => setEditing(!isEditing)}>
            {isEditing ? 'Show diff' : 'Edit'}
          </button>
        )}
      </figcaption>
      {showsField ? (
        <div className="document-diff-edit">
          <label htmlFor={`${id}-after`}>New text</label>
          <DiffTextField
            id={`${id}-after`}
            value={after}
            startAt={findFirstChange(lines, settledAfter)}
            onChange={onAfterChange}
          />
        </div>
      ) : (
        <DiffBody lines={lines} label={label} areEqual={before === after} />
      )}
    </figure>
  )
}
