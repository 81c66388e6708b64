import { useEffect, useRef } from 'react'

interface DiffTextFieldProps {
  readonly id: string
  readonly value: string
  /** Where in the text the caret begins, and what is scrolled to. */
  readonly startAt: number
  readonly onChange: (value: string) => void
}

/** The field that edits a proposed text: it opens at what the proposal changes, however long the text before it is. */
export function DiffTextField({ id, value, startAt, onChange }: DiffTextFieldProps) {
  const fieldRef = useRef<HTMLTextAreaElement>(null)
  const startRef = useRef(startAt)

  useEffect(() => {
    const field = fieldRef.current!
    const start = startRef.current
    field.setSelectionRange(start, start)
    field.scrollTop = measureTop(field, start)
  }, [])

  return (
    <textarea
      id={id}
      ref={fieldRef}
      className="field"
      value={value}
      rows={Math.min(16, Math.max(6, value.split('\n').length + 1))}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** How far to scroll so that the line at an offset stands in the upper third; lines wrap, so that counting won't do. */
function measureTop(field: HTMLTextAreaElement, offset: number): number {
  const copy = field.cloneNode() as HTMLTextAreaElement
  copy.removeAttribute('id')
  copy.value = field.value.slice(0, offset)
  copy.rows = 1
  copy.style.cssText = `position: absolute; visibility: hidden; min-height: 0; width: ${field.offsetWidth}px`
  field.after(copy)
  const above = copy.scrollHeight
  copy.remove()
  return Math.max(0, above - field.clientHeight / 3)
}
