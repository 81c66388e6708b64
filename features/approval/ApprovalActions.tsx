import { Fragment, useEffect, useRef } from 'react'
import type { AgentApprovalState } from '../../src/state/entities/agentApprovalState.ts'
import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { useAgentActions } from '../run/useAgentActions.ts'
import { useCommandSupport } from '../run/useCommandSupport.ts'
import { useSubmission } from '../run/useSubmission.ts'
import { Button } from '../view/Button.tsx'
import { FailureNote } from '../view/FailureNote.tsx'
import type { ApprovalDraft } from './useApprovalDraft.ts'

/** The buttons of an approval that waits: nothing shows as done before the runtime's event says so. */
export function ApprovalActions(props: {
  agent: AnyReactAgentRuntime
  approval: AgentApprovalState
  draft: ApprovalDraft
  locale: AgentLocale
  onDecide: () => void
}) {
  const { agent, approval, draft, locale, onDecide } = props
  const { runId, id: approvalId, version } = approval
  const { resolveApproval } = useAgentActions(agent)
  const isSupported = useCommandSupport(agent, { runId, type: 'approval.resolve' })
  const submission = useSubmission(agent, { runId, type: 'approval.resolve', entityId: approvalId })
  const { command, isSubmitting, failure, send } = submission
  const isSent = command?.status === 'succeeded'
  const isDisabled = isSubmitting || isSent
  const actions = useFocusAfterSwitch(draft.isEditing)

  function decide(decision: 'approved' | 'rejected' | 'modified') {
    onDecide()
    const data = decision === 'modified' ? { data: draft.value } : {}
    const expected = version === undefined ? {} : { expectedVersion: version }
    send(() => resolveApproval({ runId, approvalId, decision, ...data, ...expected }))
  }

  function tryAgain() {
    onDecide()
    const sent = command?.command
    // The same decision and data make it a resend: the runtime knows it by the same idempotency key.
    if (sent?.type === 'approval.resolve') send(() => resolveApproval({ runId, ...sent.payload }))
  }

  if (!isSupported) return <p className="agent-note">{locale.approval.unsupported}</p>
  return (
    <div ref={actions} className="agent-actions" aria-busy={isSubmitting}>
      {draft.isEditing ? (
        <Fragment key="editing">
          <Button kind="primary" isDisabled={isDisabled || !draft.isValid} onClick={() => decide(draft.decision)}>
            {draft.decision === 'modified' ? locale.approval.approveChanges : locale.approval.approve}
          </Button>
          <Button takesFocus isDisabled={isDisabled} onClick={draft.discard}>
            {locale.approval.discardChanges}
          </Button>
        </Fragment>
      ) : (
        <Fragment key="deciding">
          <Button kind="primary" isDisabled={isDisabled} onClick={() => decide('approved')}>
            {locale.approval.approve}
          </Button>
          <Button kind="danger" isDisabled={isDisabled} onClick={() => decide('rejected')}>
            {locale.approval.reject}
          </Button>
          {draft.isEditable && (
            <Button takesFocus isDisabled={isDisabled} onClick={draft.edit}>
              {locale.approval.edit}
            </Button>
          )}
        </Fragment>
      )}
      <span className="agent-progress-note" role="status">
        {isSubmitting ? locale.approval.submitting : isSent ? locale.approval.sent : ''}
      </span>
      {failure && (
        <FailureNote
          failure={failure}
          locale={locale}
          onTryAgain={failure.isRetryable ? tryAgain : undefined}
        />
      )}
    </div>
  )
}

/**
 * The pressed button goes with the switch to editing and back. A field that takes the focus keeps it; otherwise it
 * stays among the buttons, on one that decides nothing.
 */
function useFocusAfterSwitch(isEditing: boolean) {
  const actions = useRef<HTMLDivElement>(null)
  const wasEditing = useRef(isEditing)
  useEffect(() => {
    if (wasEditing.current === isEditing) return
    wasEditing.current = isEditing
    const { activeElement } = document
    if (activeElement !== null && activeElement !== document.body) return
    actions.current?.querySelector<HTMLElement>('[data-takes-focus]')?.focus({ preventScroll: true })
  }, [isEditing])
  return actions
}
