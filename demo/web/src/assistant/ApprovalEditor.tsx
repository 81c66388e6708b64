import { useEffect, useId, useRef } from 'react'
import type { ApprovalChange } from './approvalChangeSchema.ts'
import { DocumentDiff } from './DocumentDiff.tsx'

interface ApprovalEditorProps {
  readonly change: ApprovalChange
  /** What the change is, as where it is shown. */
  readonly label: string
  readonly edited: ApprovalChange['arguments']
  readonly onEdit: (edited: ApprovalChange['arguments']) => void
}

/** Edits the texts among a tool's arguments: title, content, and what is to be remembered. */
export function ApprovalEditor({ change, label, edited, onEdit }: ApprovalEditorProps) {
  const id = useId()
  const { title, content, text } = edited
  const fieldsRef = useRef<HTMLDivElement>(null)

  useEffect(() => {
    // The button that opened the fields is gone by now, and with it would go the focus. The text is what most change.
    const fields = fieldsRef.current
    const field = fields?.querySelector('textarea') ?? fields?.querySelector('input')
    field?.focus({ preventScroll: true })
  }, [])

  return (
    <div className="approval-editor" ref={fieldsRef}>
      {typeof title === 'string' && (
        <>
          <label htmlFor={`${id}-title`}>Title</label>
          <input
            id={`${id}-title`}
            className="field"
            value={title}
            autoComplete="off"
            onChange={(event) => onEdit({ ...edited, title: event.target.value })}
          />
        </>
      )}
      {typeof text === 'string' && (
        <>
          <label htmlFor={`${id}-text`}>To remember</label>
          <textarea
            id={`${id}-text`}
            className="field"
            rows={3}
            value={text}
            onChange={(event) => onEdit({ ...edited, text: event.target.value })}
          />
        </>
      )}
      {typeof content === 'string' && (
        <DocumentDiff
          label={label}
          before={getContentBefore(change)}
          after={content}
          defaultEditing
          onAfterChange={(after) => onEdit({ ...edited, content: after })}
        />
      )}
    </div>
  )
}

/** The preview of a new title shows it above the text on both sides; the text alone is what is edited here. */
function getContentBefore({ arguments: { content }, preview: { before, after } }: ApprovalChange): string {
  if (content === after) return before
  const end = before.indexOf('\n\n')
  return end === -1 ? before : before.slice(end + 2)
}
