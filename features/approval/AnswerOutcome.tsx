import { useRef } from 'react'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { FailureNote } from '../view/FailureNote.tsx'
import type { ApprovalAnswer } from './useApprovalAnswer.ts'

/** What stands beside the buttons of an approval once one was pressed: that it is on its way, or why it failed. */
export function AnswerOutcome({ answer, locale }: { answer: ApprovalAnswer; locale: AgentLocale }) {
  const { isSubmitting, isSent, failure, tryAgain } = answer
  const progress = useRef<HTMLSpanElement>(null)

  function send() {
    // The pressed button goes with the failure.
    progress.current?.focus({ preventScroll: true })
    tryAgain()
  }

  return (
    <>
      <span ref={progress} className="agent-progress-note" role="status" tabIndex={-1}>
        {isSubmitting ? locale.approval.submitting : isSent ? locale.approval.sent : ''}
      </span>
      {failure && (
        <FailureNote failure={failure} locale={locale} onTryAgain={failure.isRetryable ? send : undefined} />
      )}
    </>
  )
}
