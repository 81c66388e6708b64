import type { AgentReasoningState } from '../../src/state/entities/agentReasoningState.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { Disclosure } from '../view/Disclosure.tsx'
import { ErrorText } from '../view/ErrorText.tsx'
import type { ItemStatus } from '../view/itemStatus.ts'
import { LongText } from '../view/LongText.tsx'
import { StatusBadge } from '../view/StatusBadge.tsx'

/** The model's reasoning, folded away once it has streamed in, unless the person opened it. */
export function ReasoningItem(props: { reasoning: AgentReasoningState; status: ItemStatus; locale: AgentLocale }) {
  const { reasoning, status, locale } = props
  const text = reasoning.redacted ? locale.redactedReasoning : reasoning.summary || reasoning.content
  const label = (
    <>
      {locale.reasoning}
      {status !== 'completed' && <StatusBadge status={status} locale={locale} />}
    </>
  )
  return (
    <div className="agent-reasoning" data-status={status}>
      <Disclosure label={label} isLive={status === 'streaming'}>
        <div className="agent-reasoning-content">
          <LongText text={text} locale={locale} />
        </div>
      </Disclosure>
      <ErrorText error={reasoning.error} reason={reasoning.reason} locale={locale} />
    </div>
  )
}
