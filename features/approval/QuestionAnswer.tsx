import type { AgentLocale } from '../locale/agentLocale.ts'
import { LongText } from '../view/LongText.tsx'

/** What a question was answered with. */
export function QuestionAnswer({ answer, locale }: { answer: string; locale: AgentLocale }) {
  return (
    <div className="agent-given-answer">
      <span className="agent-label">{locale.question.givenAnswer}</span>
      <div className="agent-answer-text">
        <LongText text={answer} locale={locale} />
      </div>
    </div>
  )
}
