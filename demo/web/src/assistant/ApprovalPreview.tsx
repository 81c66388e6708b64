import { useMemo } from 'react'
import type { ApprovalDataProps } from 'redux-agent/react'
import * as z from 'zod/mini'
import { ApprovalEditor } from './ApprovalEditor.tsx'
import { approvalChangeSchema, type ApprovalChange } from './approvalChangeSchema.ts'
import { DocumentDiff } from './DocumentDiff.tsx'

const editSchema = z.object({ arguments: z.record(z.string(), z.unknown()) })

/** What an approval would change, as a difference; while it is edited, the arguments that can be. */
export function ApprovalPreview({ approval, value, isEditing, onChange }: ApprovalDataProps) {
  const change = useMemo(() => approvalChangeSchema.safeParse(approval.data).data, [approval.data])
  if (!change) return <pre className="approval-preview-raw">{JSON.stringify(value, undefined, 2)}</pre>
  if (!isEditing) return <DocumentDiff {...change.preview} label={describe(change)} />

  const original = change.arguments
  const edited = editSchema.safeParse(value).data?.arguments ?? original
  return (
    <ApprovalEditor
      change={change}
      label={describe(change)}
      edited={edited}
      onEdit={(next) => {
        const isAsItWas = Object.keys(original).every((name) => next[name] === original[name])
        // What was typed back is approved as it was; and of an edit only the arguments matter to the server.
        onChange(isAsItWas ? approval.data : { arguments: next })
      }}
    />
  )
}

// Which document it is stands above, in the question.
function describe({ toolName, preview: { before } }: ApprovalChange): string {
  if (toolName === 'memory_write') return 'What will be remembered'
  if (toolName === 'document_write') return 'New document'
  if (toolName === 'publish_document' && before === '') return 'First publication'
  return 'Changes'
}
