import { useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { ApprovalQuestion } from '../../src/protocol/readApprovalQuestion.ts'
import type { AgentApprovalState } from '../../src/state/entities/agentApprovalState.ts'
import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { Button } from '../view/Button.tsx'
import { AnswerOutcome } from './AnswerOutcome.tsx'
import { getAnswerDecision } from './getAnswerDecision.ts'
import { QuestionOptions } from './QuestionOptions.tsx'
import { useApprovalAnswer } from './useApprovalAnswer.ts'

/** The form of a question that waits: its options, a field for other words, and the buttons to send or decline. */
export function QuestionForm(props: {
  agent: AnyReactAgentRuntime
  approval: AgentApprovalState
  question: ApprovalQuestion
  locale: AgentLocale
  onDecide: () => void
}) {
  const { agent, approval, question, locale, onDecide } = props
  const answer = useApprovalAnswer(agent, approval, onDecide)
  const hasOptions = question.options.length > 0
  const [chosen, setChosen] = useState<string | null | undefined>(hasOptions ? undefined : null)
  const [words, setWords] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const callFocus = useFocusOnCall(field, chosen === null)
  const fieldId = useId()
  const isDisabled = answer.isSubmitting || answer.isSent
  const text = (chosen === null ? words : (chosen ?? '')).trim()
  const canSend = !isDisabled && text !== ''

  function send() {
    if (canSend) answer.decide(getAnswerDecision(approval.editable), { data: { answer: text } })
  }

  function sendByEnter(event: KeyboardEvent) {
    // Enter that ends an input method's word is not meant for us; Safari tells it by the key code alone.
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || isComposing) return
    event.preventDefault()
    send()
  }

  if (!answer.isSupported) return <p className="agent-note">{locale.approval.unsupported}</p>
  return (
    <form className="agent-question" aria-busy={answer.isSubmitting} onSubmit={(event) => event.preventDefault()}>
      {hasOptions && (
        <QuestionOptions
          options={question.options}
          chosen={chosen}
          locale={locale}
          onChoose={(value, { isByPointer }) => {
            if (isDisabled) return
            setChosen(value)
            // Who goes through the choices by key stays among them.
            if (value === null && isByPointer) callFocus()
          }}
        />
      )}
      {chosen === null && (
        <div className="agent-editor">
          <label className="agent-label" htmlFor={fieldId}>
            {locale.question.answer}
          </label>
          <textarea
            ref={field}
            id={fieldId}
            className="agent-textarea agent-answer-field"
            rows={2}
            value={words}
            readOnly={isDisabled}
            enterKeyHint="send"
            onChange={(event) => setWords(event.target.value)}
            onKeyDown={sendByEnter}
          />
        </div>
      )}
      <div className="agent-actions">
        <Button kind="primary" isSubmit isDisabled={!canSend} onClick={send}>
          {locale.approval.approve}
        </Button>
        <Button isDisabled={isDisabled} onClick={() => answer.decide('rejected')}>
          {locale.approval.reject}
        </Button>
        <AnswerOutcome answer={answer} locale={locale} />
      </div>
    </form>
  )
}

/** Gives a field the focus once it is there, where it was called for. */
function useFocusOnCall(field: RefObject<HTMLElement | null>, isThere: boolean): () => void {
  const isCalled = useRef(false)
  useEffect(() => {
    if (!isThere || !isCalled.current) return
    isCalled.current = false
    field.current?.focus({ preventScroll: true })
  })
  return () => {
    isCalled.current = field.current === null
    field.current?.focus({ preventScroll: true })
  }
}
