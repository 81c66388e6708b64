import { useId, useMemo, useRef, useState } from 'react'
import type { ApprovalDecision } from '../../src/protocol/payloads/approvalPayloads.ts'
import { readApprovalQuestion } from '../../src/protocol/readApprovalQuestion.ts'
import { wasEndedByRun } from '../../src/selectors/wasEndedByRun.ts'
import type { AgentApprovalState } from '../../src/state/entities/agentApprovalState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { useSubmission } from '../run/useSubmission.ts'
import type { LiveSource, PastSource } from '../timeline/timelineSource.ts'
import { CardHeader } from '../view/CardHeader.tsx'
import { ErrorText } from '../view/ErrorText.tsx'
import { FailureNote } from '../view/FailureNote.tsx'
import { getItemStatus, type ItemStatus, type RunOutlook } from '../view/itemStatus.ts'
import { StatusBadge } from '../view/StatusBadge.tsx'
import { StatusIcon } from '../view/StatusIcon.tsx'
import { useFocusAfterPress } from '../view/useFocusAfterPress.ts'
import { ApprovalActions } from './ApprovalActions.tsx'
import { ApprovalData } from './ApprovalData.tsx'
import type { RenderApprovalData } from './approvalDataProps.ts'
import { ExpiryCountdown } from './ExpiryCountdown.tsx'
import { QuestionAnswer } from './QuestionAnswer.tsx'
import { PastAnswer } from './PastAnswer.tsx'
import { QuestionForm } from './QuestionForm.tsx'
import { toQuestionLocale } from './toQuestionLocale.ts'
import { useApprovalDraft } from './useApprovalDraft.ts'

/** An approval as a card; it subscribes to nothing once it is decided, unless the person was there to decide. */
export function ApprovalCard(props: {
  source: Pick<LiveSource, 'kind' | 'agent'> | PastSource
  approval: AgentApprovalState
  outlook: RunOutlook
  locale: AgentLocale
  renderData?: RenderApprovalData | undefined
  now?: (() => number) | undefined
}) {
  const { source, approval, outlook, renderData, now } = props
  const { data, expiresAt, error, reason } = approval
  // A replay knows of the end before it comes to it.
  const isRunOver =
    source.kind === 'past' ? getOwn(source.end.runs, approval.runId)?.status !== 'running' : outlook === 'ended'
  const isEndedByRun = wasEndedByRun(approval, isRunOver)
  const decision = isEndedByRun ? undefined : approval.decision
  const question = useMemo(() => readApprovalQuestion(data), [data])
  const locale = useMemo(
    () => (question ? toQuestionLocale(props.locale) : props.locale),
    [question, props.locale],
  )
  const description = question?.question ?? approval.description
  // A question puts nothing at stake.
  const risk = question ? undefined : approval.risk
  const draft = useApprovalDraft(approval)
  const isOpen = approval.status === 'waiting' && outlook !== 'ended'
  const status = isOpen ? 'waiting' : isEndedByRun ? 'ended' : getItemStatus(approval.status, outlook)
  const [wasOpen] = useState(isOpen)
  const card = useRef<HTMLDivElement>(null)
  // The pressed button goes with the decision.
  const onDecide = useFocusAfterPress(card, isOpen)
  const id = useId()

  function answerLive(agent: AnyReactAgentRuntime) {
    if (!isOpen) return wasOpen && <LostAnswer {...{ agent, approval, decision, locale }} />
    if (question) return <QuestionForm {...{ agent, approval, question, locale, onDecide }} />
    return <ApprovalActions agent={agent} approval={approval} draft={draft} locale={locale} onDecide={onDecide} />
  }

  return (
    <div
      ref={card}
      className="agent-card agent-approval"
      data-status={status}
      data-decision={decision}
      role="group"
      aria-labelledby={description === undefined ? `${id}title` : `${id}title ${id}description`}
      tabIndex={-1}
    >
      <CardHeader
        status={<ApprovalStatus status={status} decision={decision} locale={locale} />}
      >
        <span id={`${id}title`} className="agent-card-title">
          {isOpen ? locale.approval.needed : locale.approval.label}
        </span>
        {risk !== undefined && (
          // Once there is nothing left to decide, how much was at stake calls for nobody.
          <span className="agent-tag" data-risk={isOpen ? risk : undefined}>
            {getOwn(locale.approval.risk, risk) ?? risk}
          </span>
        )}
        {/* A clock that goes on would tell nothing of the past. */}
        {isOpen && source.kind === 'live' && expiresAt !== undefined && (
          <ExpiryCountdown expiresAt={expiresAt} locale={locale} now={now} />
        )}
      </CardHeader>
      {description !== undefined && (
        <p id={`${id}description`} className="agent-description">
          {description}
        </p>
      )}
      {question ? (
        question.answer !== undefined && <QuestionAnswer answer={question.answer} locale={locale} />
      ) : (
        <ApprovalData approval={approval} draft={draft} locale={locale} renderData={renderData} />
      )}
      <ErrorText error={error} reason={reason} locale={locale} />
      {source.kind === 'past'
        ? isOpen && <PastAnswer {...{ source, approval, question, isEditable: draft.isEditable, locale }} />
        : answerLive(source.agent)}
      {(isEndedByRun || (approval.status === 'waiting' && !isOpen)) && (
        <p className="agent-note">{locale.approval.ended}</p>
      )}
    </div>
  )
}

function ApprovalStatus(props: {
  status: ItemStatus
  decision: ApprovalDecision | undefined
  locale: AgentLocale
}) {
  const { status, decision, locale } = props
  if (decision === undefined) return <StatusBadge status={status} locale={locale} />
  const isGranted = decision === 'approved' || decision === 'modified'
  const shown = isGranted ? 'completed' : 'cancelled'
  return (
    <span className="agent-status" data-status={shown}>
      <StatusIcon status={shown} />
      {locale.approval.decision[decision]}
    </span>
  )
}

/** Tells the person whose answer came too late, or was not taken, why. */
function LostAnswer(props: {
  agent: AnyReactAgentRuntime
  approval: AgentApprovalState
  decision: ApprovalDecision | undefined
  locale: AgentLocale
}) {
  const { agent, approval, decision, locale } = props
  const { runId, id: entityId } = approval
  const submission = useSubmission(agent, { runId, type: 'approval.resolve', entityId })
  // The command goes with its run once that is let go of; what became of it is still to be read.
  const [last, setLast] = useState(submission)
  if (submission.command && submission.command !== last.command) setLast(submission)
  const { command, failure } = submission.command ? submission : last
  if (!failure) return null
  const asked = command?.command.type === 'approval.resolve' ? command.command.payload.decision : undefined
  // Whose answer was lost on the way got what they asked for all the same.
  if (failure.isRetryable && asked === decision) return null
  const standing = failure.reason === 'conflict' ? decision : undefined
  return <FailureNote failure={{ ...failure, decision: failure.decision ?? standing }} locale={locale} />
}
