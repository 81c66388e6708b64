import { useSelector } from 'react-redux'
import { selectRetryOf } from '../../src/selectors/selectRetryOf.ts'
import type { AgentToolCallState } from '../../src/state/entities/agentToolCallState.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { useAgentActions } from '../run/useAgentActions.ts'
import { useCommandSupport } from '../run/useCommandSupport.ts'
import { useSubmission } from '../run/useSubmission.ts'
import { Button } from '../view/Button.tsx'
import { FailureNote } from '../view/FailureNote.tsx'

/** Offers another attempt at a failed tool call, until there is one. */
export function ToolRetry(props: { agent: AnyReactAgentRuntime; toolCall: AgentToolCallState; locale: AgentLocale }) {
  const { agent, toolCall, locale } = props
  const { runId, id: toolCallId } = toolCall
  const { retryTool } = useAgentActions(agent)
  const isSupported = useCommandSupport(agent, { runId, type: 'tool.retry' })
  const { isSubmitting, failure, send } = useSubmission(agent, { runId, type: 'tool.retry', entityId: toolCallId })
  const isRetried = useSelector((root: AgentRootState<string>) => {
    const sessionId = agent.selectors.selectRun(root, { runId })?.sessionId
    const session = sessionId === undefined ? undefined : agent.selectors.selectSession(root, sessionId)
    return session !== undefined && selectRetryOf(session.active, { runId, toolCallId }) !== undefined
  })

  if (isRetried) return <p className="agent-note">{locale.tool.retried}</p>
  if (!isSupported) return null
  return (
    <div className="agent-actions" aria-busy={isSubmitting}>
      <Button isDisabled={isSubmitting} onClick={() => send(() => retryTool({ runId, toolCallId }))}>
        {isSubmitting ? locale.tool.retrying : locale.tool.retry}
      </Button>
      {failure && <FailureNote message={failure.message} locale={locale} />}
    </div>
  )
}
