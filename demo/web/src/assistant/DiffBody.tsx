import { useId, useMemo, useRef, useState, type ReactNode } from 'react'
import type { DiffLine } from './createDocumentDiff.ts'
import { DiffLineRow } from './DiffLineRow.tsx'
import { foldDiffLines, type DiffBlock } from './foldDiffLines.ts'
import { foldLongParts } from './foldLongParts.ts'
import { useFoldHeight } from './useFoldHeight.ts'
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
  // The fold goes with what it hid: the first line of that takes the focus.
  const [shown, setShown] = useState<DiffLine>()
  const [limit, setLimit] = useState(rowsAtOnce)
  const [isWhole, setWhole] = useState(false)
  const shortened = useMemo(() => new Map(lines.map((line) => [line, foldLongParts(line)])), [lines])
  const isShortened = lines.some((line) => shortened.get(line) !== line)
  const changes = useMemo(() => lines.filter((line, index) => isBeginning(line, lines[index - 1])).length, [lines])

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
      <DiffBox label={label} changes={changes} isWhole={isWhole} isShortened={isShortened} onWholeChange={setWhole}>
        <ol className="document-diff-lines">
          {rows.slice(0, limit).map((row) =>
            'lines' in row ? (
              <li key={row.key} className="document-diff-fold">
                <button
                  type="button"
                  aria-expanded={false}
                  onClick={() => {
                    setUnfolded([...unfolded, row.key])
                    setShown(row.lines[0])
                  }}
                >
                  Show {row.lines.length} {row.lines[0]?.kind === 'removed' ? 'more removed' : 'unchanged'} lines
                </button>
              </li>
            ) : (
              <DiffLineRow
                key={`${row.kind}-${row.newNumber ?? row.oldNumber}`}
                line={isWhole ? row : (shortened.get(row) ?? row)}
                takesFocus={row === shown}
              />
            ),
          )}
        </ol>
      </DiffBox>
      {rows.length > limit && (
        <button
          type="button"
          className="document-diff-more"
          onClick={() => {
            setLimit(limit + rowsAtOnce)
            setShown(rows.slice(limit).find((row): row is DiffLine => !('lines' in row)))
          }}
        >
          Show more lines
        </button>
      )}
    </>
  )
}

const isBeginning = (line: DiffLine, before: DiffLine | undefined) =>
  line.kind !== 'same' && (before === undefined || before.kind === 'same')

interface DiffBoxProps {
  readonly label: string
  /** How many there are, parted by unchanged lines. */
  readonly changes: number
  readonly isWhole: boolean
  /** Whether a line is not shown to its end. */
  readonly isShortened: boolean
  readonly onWholeChange: (isWhole: boolean) => void
  readonly children: ReactNode
}

function DiffBox({ label, changes, isWhole, isShortened, onWholeChange, children }: DiffBoxProps) {
  const boxRef = useRef<HTMLDivElement>(null)
  const { isOver, isMoreBelow } = useOverflow(boxRef)
  const { height, reached } = useFoldHeight(boxRef)
  const below = isWhole || !isMoreBelow ? 0 : changes - reached
  const restId = useId()

  return (
    <>
      <div className="document-diff-view" data-more={isMoreBelow ? '' : undefined}>
        {/* It must take the focus, or it could not be scrolled by keyboard; a region each would crowd the landmarks. */}
        <div
          ref={boxRef}
          className="document-diff-scroll"
          data-whole={isWhole ? '' : undefined}
          style={isWhole || height === 0 ? undefined : { maxHeight: height }}
          role="group"
          aria-label={label}
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={isOver ? 0 : undefined}
        >
          {children}
        </div>
        {below > 0 && (
          <p id={restId} className="document-diff-rest">
            {below === 1 ? '1 more change' : `${below} more changes`} below
          </p>
        )}
      </div>
      {(isOver || isWhole || isShortened) && (
        <button
          type="button"
          className="document-diff-more"
          aria-expanded={isWhole}
          aria-describedby={below > 0 ? restId : undefined}
          onClick={() => onWholeChange(!isWhole)}
        >
          {isWhole ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  )
}
