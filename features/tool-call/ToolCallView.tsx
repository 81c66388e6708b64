import { useMemo, type ReactNode, type RefObject } from 'react'
import type { AgentToolCallState } from '../../src/state/entities/agentToolCallState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { CardHeader } from '../view/CardHeader.tsx'
import { CodeBlock } from '../view/CodeBlock.tsx'
import { Disclosure } from '../view/Disclosure.tsx'
import { ErrorText } from '../view/ErrorText.tsx'
import { formatJson } from '../view/formatJson.ts'
import { formatJsonText } from '../view/formatJsonText.ts'
import { getItemStatus, type RunOutlook } from '../view/itemStatus.ts'
import { StatusBadge } from '../view/StatusBadge.tsx'
import type { ToolQuestion } from './getQuestion.ts'
import { isArriving } from './isArriving.ts'

/** A tool call as a card. Its arguments stand open while they stream in, and fold once an approval shows the same. */
export function ToolCallView(props: {
  /** Names the card, where the focus may go to it. */
  card?: RefObject<HTMLDivElement | null> | undefined
  toolCall: AgentToolCallState
  outlook: RunOutlook
  locale: AgentLocale
  /** How the approval stands that asks about it, where one does. */
  question: ToolQuestion | undefined
  /** What stands below a failure that another attempt may mend. */
  retry: ReactNode
}) {
  const { card, toolCall, outlook, locale, question, retry } = props
  const { name, attempt, result, error, reason } = toolCall
  const status = question === 'open' ? 'asked' : getItemStatus(toolCall.status, outlook)
  const words = getOwn(locale.tool.names, name)
  const argumentsText = useMemo(() => formatJsonText(toolCall.arguments), [toolCall.arguments])
  return (
    <div
      ref={card}
      className="agent-card agent-tool"
      data-status={status}
      data-tool={name}
      role="group"
      aria-label={locale.tool.label(words ?? name)}
      tabIndex={card && -1}
    >
      <CardHeader status={<StatusBadge status={status} locale={locale} />}>
        {words === undefined ? (
          <code className="agent-tool-name">{name}</code>
        ) : (
          <span className="agent-card-name" title={name}>
            {words}
          </span>
        )}
        {attempt > 1 && <span className="agent-tag">{locale.tool.attempt(attempt, words ?? name)}</span>}
      </CardHeader>
      {(argumentsText !== '' || result !== undefined) && (
        <div className="agent-disclosures">
          {argumentsText !== '' && (
            <Disclosure label={locale.tool.arguments} isLive={isArriving(toolCall, outlook) && question === undefined}>
              <CodeBlock text={argumentsText} label={locale.tool.arguments} locale={locale} />
            </Disclosure>
          )}
          {result !== undefined && (
            <Disclosure label={locale.tool.result}>
              <ToolResult result={result} locale={locale} />
            </Disclosure>
          )}
        </div>
      )}
      <ErrorText error={error} reason={reason} locale={locale} />
      {status === 'failed' && error?.retryable === true && retry}
    </div>
  )
}

function ToolResult({ result, locale }: { result: unknown; locale: AgentLocale }) {
  const text = useMemo(() => (typeof result === 'string' ? formatJsonText(result) : formatJson(result)), [result])
  return <CodeBlock text={text} label={locale.tool.result} locale={locale} />
}
