import { useId } from 'react'
import { getAgentEntityKey } from '../../src/protocol/getAgentEntityKey.ts'
import { readApprovalQuestion, type ApprovalQuestion } from '../../src/protocol/readApprovalQuestion.ts'
import { wasEndedByRun } from '../../src/selectors/wasEndedByRun.ts'
import type { AgentApprovalState } from '../../src/state/entities/agentApprovalState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import type { PastSource } from '../timeline/timelineSource.ts'
import { Button } from '../view/Button.tsx'
import { QuestionOptions } from './QuestionOptions.tsx'

const doNothing = () => undefined

/** The buttons of an approval as they stood: none does anything, and they show which one was taken. */
export function PastAnswer(props: {
  source: PastSource
  approval: AgentApprovalState
  question: ApprovalQuestion | undefined
  isEditable: boolean
  locale: AgentLocale
}) {
  const { source, approval, question, isEditable, locale } = props
  const { runs, approvals } = source.end
  const answered = getOwn(approvals, getAgentEntityKey(approval.runId, approval.id))
  const { decision, data } = answered ?? {}
  const isRunOver = getOwn(runs, approval.runId)?.status !== 'running'
  const isEndedByRun = answered !== undefined && wasEndedByRun(answered, isRunOver)
  const outcome = isEndedByRun
    ? locale.approval.ended
    : decision === undefined
      ? locale.replay.undecided
      : locale.replay.decided(locale.approval.decision[decision])
  const noteId = useId()
  const choices = [
    { label: locale.approval.approve, isChosen: decision === 'approved' || (question && decision === 'modified') },
    { label: locale.approval.reject, isChosen: decision === 'rejected' },
    ...(isEditable && !question ? [{ label: locale.approval.edit, isChosen: decision === 'modified' }] : []),
  ]
  const buttons = (
    <div className="agent-actions agent-past-answer" role="group" aria-labelledby={noteId}>
      {choices.map(({ label, isChosen }) => (
        <Button key={label} isDisabled isChosen={isChosen} onClick={doNothing}>
          {label}
        </Button>
      ))}
      <p id={noteId} className="agent-note">
        {outcome}
      </p>
    </div>
  )
  if (!question?.options.length) return buttons
  const answer = readApprovalQuestion(data)?.answer
  const isOffered = question.options.some(({ value }) => value === answer)
  const chosen = isOffered ? answer : answer === undefined ? undefined : null
  return (
    <>
      <QuestionOptions options={question.options} chosen={chosen} locale={locale} />
      {buttons}
    </>
  )
}
