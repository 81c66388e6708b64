import { useId } from 'react'
import type { ApprovalQuestionOption } from '../../src/protocol/readApprovalQuestion.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'

/** The answers that a question offers, and one for other words; `chosen` is a value, `null` for other words. */
export function QuestionOptions(props: {
  options: readonly ApprovalQuestionOption[]
  chosen: string | null | undefined
  locale: AgentLocale
  /** Without it they are shown as they stood, and none can be chosen. */
  onChoose?: ((value: string | null, how: { isByPointer: boolean }) => void) | undefined
}) {
  const { options, chosen, locale, onChoose } = props
  const name = useId()
  const choices = [
    ...options.map((option) => ({ ...option, key: `option ${option.value}` })),
    { value: null, label: locale.question.otherWords, key: 'other' },
  ]
  return (
    <div className="agent-options" role="radiogroup" aria-label={locale.question.options}>
      {choices.map(({ key, value, label }) => (
        <label key={key} className="agent-option">
          <input
            type="radio"
            name={name}
            checked={chosen === value}
            disabled={onChoose === undefined}
            // A click's detail is 0 where the arrow keys made it.
            onClick={({ detail }) => onChoose?.(value, { isByPointer: detail > 0 })}
            onChange={() => undefined}
          />
          <span>{label}</span>
        </label>
      ))}
    </div>
  )
}
