import { selectRetryOf } from '../../src/selectors/selectRetryOf.ts'
import type { AgentToolCallState } from '../../src/state/entities/agentToolCallState.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import type { PastSource } from '../timeline/timelineSource.ts'
import type { RunOutlook } from '../view/itemStatus.ts'
import { getQuestion } from './getQuestion.ts'
import { isArriving } from './isArriving.ts'
import { ToolCallView } from './ToolCallView.tsx'

/** A tool call as it stood at some time: in place of a retry it says whether there was one. */
export function PastToolCall(props: {
  source: PastSource
  toolCall: AgentToolCallState
  outlook: RunOutlook
  locale: AgentLocale
}) {
  const { source, toolCall, outlook, locale } = props
  const { runId, id: toolCallId } = toolCall
  const question = isArriving(toolCall, outlook) ? getQuestion(source.approvals, toolCall) : undefined
  const isRetried = selectRetryOf(source.end, { runId, toolCallId }) !== undefined
  return (
    <ToolCallView
      toolCall={toolCall}
      outlook={outlook}
      locale={locale}
      question={question}
      retry={isRetried && <p className="agent-note">{locale.replay.retriedLater}</p>}
    />
  )
}
