import type { RefObject } from 'react'
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
import { useFocusAfterPress } from '../view/useFocusAfterPress.ts'

/**
 * Offers another attempt at a failed tool call, until there is one; once its run has ended, which never goes on, to
 * begin anew, where the page can.
 */
export function ToolRetry(props: {
  agent: AnyReactAgentRuntime
  toolCall: AgentToolCallState
  outlook: RunOutlook
  locale: AgentLocale
  /** The card around it, which takes the focus when the pressed button goes. */
  card: RefObject<HTMLElement | null>
  isRetriedBefore: boolean
  onRegenerate?: ((runId: string) => void) | undefined
}) {
  const { agent, toolCall, outlook, locale, card, isRetriedBefore, onRegenerate } = props
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

  const isTriedAgain = isRetried || isRetriedBefore
  const onPress = useFocusAfterPress(card, !isTriedAgain && outlook !== 'ended')

  function retry() {
    onPress()
    send(() => retryTool({ runId, toolCallId }))
  }

  if (isTriedAgain) return <p className="agent-note">{locale.tool.retried}</p>
  if (outlook === 'ended') {
    if (!onRegenerate) return null
    return (
      // Apart from the retry, whose button must not become this one under the finger that presses it.
      <div key="anew" className="agent-actions">
        <Button onClick={() => onRegenerate(runId)}>{locale.tool.regenerate}</Button>
      </div>
    )
  }
  if (!isSupported) return null
  return (
    <div className="agent-actions" aria-busy={isSubmitting}>
      <Button isDisabled={isSubmitting || isSent} onClick={retry}>
        {isSubmitting || isSent ? locale.tool.retrying : locale.tool.retry}
      </Button>
      {failure && <FailureNote failure={failure} locale={locale} />}
    </div>
  )
}
