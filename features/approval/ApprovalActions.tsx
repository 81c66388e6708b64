import { Fragment, useEffect, useRef } from 'react'
import type { AgentApprovalState } from '../../src/state/entities/agentApprovalState.ts'
import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { Button } from '../view/Button.tsx'
import { AnswerOutcome } from './AnswerOutcome.tsx'
import { useApprovalAnswer } from './useApprovalAnswer.ts'
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
  const answer = useApprovalAnswer(agent, approval, onDecide)
  const { isSupported, isSubmitting, decide } = answer
  const isDisabled = isSubmitting || answer.isSent
  const actions = useFocusAfterSwitch(draft.isEditing)

  function decideOnDraft() {
    decide(draft.decision, draft.decision === 'modified' ? { data: draft.value } : undefined)
  }

  if (!isSupported) return <p className="agent-note">{locale.approval.unsupported}</p>
  return (
    <div ref={actions} className="agent-actions" aria-busy={isSubmitting}>
      {draft.isEditing ? (
        <Fragment key="editing">
          <Button kind="primary" isDisabled={isDisabled || !draft.isValid} onClick={decideOnDraft}>
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
      <AnswerOutcome answer={answer} locale={locale} />
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
