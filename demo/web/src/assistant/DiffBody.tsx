import { useMemo, useRef, useState } from 'react'
import type { DiffLine } from './createDocumentDiff.ts'
import { DiffLineRow } from './DiffLineRow.tsx'
import { foldDiffLines, type DiffBlock } from './foldDiffLines.ts'
import { useOverflow } from './useOverflow.ts'

interface DiffBodyProps {
  readonly lines: readonly DiffLine[]
  readonly label: string
  readonly areEqual: boolean
}

// A text of megabytes may differ in every line; more than this at once would only hold up the page.
const rowsAtOnce = 400

/** The lines of a difference, in a box that says when it holds more, and shows it when asked to. */
export function DiffBody({ lines, label, areEqual }: DiffBodyProps) {
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
      <DiffBox label={label}>
        <ol className="document-diff-lines">
          {rows.slice(0, limit).map((row) =>
            'lines' in row ? (
              <li key={row.key} className="document-diff-fold">
                <button type="button" aria-expanded={false} onClick={() => setUnfolded([...unfolded, row.key])}>
                  Show {row.lines.length} unchanged lines
                </button>
              </li>
            ) : (
              <DiffLineRow key={`${row.kind}-${row.newNumber ?? row.oldNumber}`} line={row} />
            ),
          )}
        </ol>
      </DiffBox>
      {rows.length > limit && (
        <button type="button" className="document-diff-more" onClick={() => setLimit(limit + rowsAtOnce)}>
          Show more lines
        </button>
      )}
    </>
  )
}

function DiffBox({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  const boxRef = useRef<HTMLDivElement>(null)
  const { isOver, isMoreBelow } = useOverflow(boxRef)
  const [isWhole, setWhole] = useState(false)

  return (
    <>
      <div className="document-diff-view" data-more={isMoreBelow ? '' : undefined}>
        {/* It must take the focus, or it could not be scrolled by keyboard; a region each would crowd the landmarks. */}
        <div
          ref={boxRef}
          className="document-diff-scroll"
          data-whole={isWhole ? '' : undefined}
          role="group"
          aria-label={label}
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={isOver ? 0 : undefined}
        >
          {children}
        </div>
      </div>
      {(isOver || isWhole) && (
        <button
          type="button"
          className="document-diff-more"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  )
}
