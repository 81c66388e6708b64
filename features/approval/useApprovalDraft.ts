import { useState } from 'react'
import type { AgentApprovalState } from '../../src/state/entities/agentApprovalState.ts'

/** An approval's data while a person changes it. */
export interface ApprovalDraft {
  readonly value: unknown
  readonly isEditing: boolean
  readonly isEditable: boolean
  /** Whether what was typed can be sent. */
  readonly isValid: boolean
  /** What approving now would say: data that is as it was is approved as it was; what cannot be sent is an edit. */
  readonly decision: 'approved' | 'modified'
  edit(): void
  discard(): void
  change(next: { value: unknown } | undefined): void
}

export function useApprovalDraft(approval: AgentApprovalState): ApprovalDraft {
  const { data, editable, status } = approval
  const [draft, setDraft] = useState<{ value: unknown; isValid: boolean }>()
  const isEditing = draft !== undefined && status === 'waiting'
  const value = isEditing ? draft.value : data
  const isValid = draft?.isValid ?? true
  return {
    value,
    isEditing,
    isEditable: editable !== false && data !== undefined,
    isValid,
    decision: isValid && JSON.stringify(value) === JSON.stringify(data) ? 'approved' : 'modified',
    edit: () => setDraft({ value: data, isValid: true }),
    discard: () => setDraft(undefined),
    change(next) {
      if (isEditing) setDraft(next ? { value: next.value, isValid: true } : { value, isValid: false })
    },
  }
}
