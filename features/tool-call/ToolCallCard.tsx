import { useRef } from 'react'
import type { AgentToolCallState } from '../../src/state/entities/agentToolCallState.ts'
import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import type { RunOutlook } from '../view/itemStatus.ts'
import { isArriving } from './isArriving.ts'
import { ToolCallView } from './ToolCallView.tsx'
import { ToolRetry } from './ToolRetry.tsx'
import { useToolQuestion } from './useToolQuestion.ts'

/**
 * A tool call of a store's session. It subscribes to nothing but to the approval that asks about it, while there may be
 * one, and, where a retry is possible, to that.
 */
export function ToolCallCard(props: {
  agent: AnyReactAgentRuntime
  toolCall: AgentToolCallState
  outlook: RunOutlook
  locale: AgentLocale
  /** Whether a history that is shown tells of another attempt. */
  isRetriedBefore?: boolean | undefined
  onRegenerate?: ((runId: string) => void) | undefined
}) {
  const { agent, toolCall, outlook, locale, isRetriedBefore = false, onRegenerate } = props
  const card = useRef<HTMLDivElement>(null)
  const question = useToolQuestion(agent, toolCall, isArriving(toolCall, outlook))
  return (
    <ToolCallView
      card={card}
      toolCall={toolCall}
      outlook={outlook}
      locale={locale}
      question={question}
      retry={
        <ToolRetry
          agent={agent}
          toolCall={toolCall}
          outlook={outlook}
          locale={locale}
          card={card}
          isRetriedBefore={isRetriedBefore}
          onRegenerate={onRegenerate}
        />
      }
    />
  )
}
