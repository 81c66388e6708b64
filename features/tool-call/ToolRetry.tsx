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
import type { RunOutlook } from '../view/itemStatus.ts'

/**
 * Offers another attempt at a failed tool call, until there is one; once its run has ended, which never goes on, to
 * begin anew, where the page can.
 */
export function ToolRetry(props: {
  agent: AnyReactAgentRuntime
  toolCall: AgentToolCallState
  outlook: RunOutlook
  locale: AgentLocale
  isRetriedBefore: boolean
  onRegenerate?: ((runId: string) => void) | undefined
}) {
  const { agent, toolCall, outlook, locale, isRetriedBefore, onRegenerate } = props
  const { runId, id: toolCallId } = toolCall
  const { retryTool } = useAgentActions(agent)
  const isSupported = useCommandSupport(agent, { runId, type: 'tool.retry' })
  const submission = useSubmission(agent, { runId, type: 'tool.retry', entityId: toolCallId })
  const { command, isSubmitting, failure, send } = submission
  // Taken, yet without its event: a second press would be a second command.
  const isSent = command?.status === 'succeeded'
  const isRetried = useSelector((root: AgentRootState<string>) => {
    const sessionId = agent.selectors.selectRun(root, { runId })?.sessionId
    const session = sessionId === undefined ? undefined : agent.selectors.selectSession(root, sessionId)
    if (!session) return false
    const home = Object.hasOwn(session.active.runs, runId) ? session.active : session.settled
    return selectRetryOf(home, { runId, toolCallId }) !== undefined
  })

  if (isRetried || isRetriedBefore) return <p className="agent-note">{locale.tool.retried}</p>
  if (outlook === 'ended') {
    if (!onRegenerate) return null
    return (
      <div className="agent-actions">
        <Button onClick={() => onRegenerate(runId)}>{locale.tool.regenerate}</Button>
      </div>
    )
  }
  if (!isSupported) return null
  return (
    <div className="agent-actions" aria-busy={isSubmitting}>
      <Button isDisabled={isSubmitting || isSent} onClick={() => send(() => retryTool({ runId, toolCallId }))}>
        {isSubmitting || isSent ? locale.tool.retrying : locale.tool.retry}
      </Button>
      {failure && <FailureNote failure={failure} locale={locale} />}
    </div>
  )
}
