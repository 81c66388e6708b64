import { memo, useEffect, useMemo, useState, type ReactNode } from 'react'
import { selectAgentTimeline } from 'redux-agent'
import { AgentTimeline, toTimelineItems, type ApprovalDataProps } from 'redux-agent/react'
import { useAppSelector } from '../app/useAppSelector.ts'
import { agent } from '../assistant/agent.ts'
import { ApprovalPreview } from '../assistant/ApprovalPreview.tsx'
import { assistantLocale } from '../assistant/assistantLocale.ts'
import { renderMessage } from '../assistant/renderMessage.tsx'
import { RunStatus } from '../assistant/RunStatus.tsx'
import { runTimelineApi } from './runTimelineApi.ts'
import type { ConversationRun } from './conversationRun.ts'

interface RunBlockProps {
  readonly sessionId: string
  readonly run: ConversationRun
  /** Whether the page rests, so that what an old run did besides its messages may be loaded. */
  readonly isCalm: boolean
  /** How high it was, in pixels, when it was last in the page: it is no lower until it is whole again. */
  readonly getHeight?: ((runId: string) => number | undefined) | undefined
  readonly canRegenerate: boolean
  readonly onRegenerate?: ((runId: string) => void) | undefined
}

const renderApprovalData = (props: ApprovalDataProps): ReactNode => <ApprovalPreview {...props} />

// The line below the run says it.
const leaveToStatus = () => null

/**
 * One run, with what it did and how it stands: out of the page's state while that holds it, and for good out of the
 * read model. The rows stay the same ones where it passes from the one to the other.
 */
export const RunBlock = memo(function RunBlock(props: RunBlockProps) {
  const { sessionId, run, isCalm, getHeight, canRegenerate, onRegenerate } = props
  const { runId, messages, record } = run
  const isHeld = useAppSelector((state) => agent.selectors.selectRun(state, { runId }) !== undefined)
  const isOver = record !== undefined && record.status !== 'running' && record.status !== 'interrupted'
  const [isWanted, setWanted] = useState(isCalm)
  useEffect(() => {
    if (isCalm) setWanted(true)
  }, [isCalm])
  const { useQueryState, useQuerySubscription } = runTimelineApi.endpoints.runTimeline
  // Only loading waits for the page to rest. A run that comes back into view while it scrolls would else be a short one
  // first, and then grow: the reader would be thrown about.
  const { data: timeline, isError } = useQueryState(runId, { skip: isHeld || !isOver })
  useQuerySubscription(runId, { skip: isHeld || !isOver || !isWanted })
  const isWhole = isHeld || !isOver || timeline !== undefined || isError
  const [heightBefore] = useState(() => getHeight?.(runId))
  const history = useMemo(
    () => (timeline ? selectAgentTimeline(timeline, { runId }) : toTimelineItems(messages)),
    [messages, runId, timeline],
  )

  return (
    <div className="assistant-run" data-whole={isWhole} style={{ minHeight: isWhole ? undefined : heightBefore }}>
      <AgentTimeline
        agent={agent}
        sessionId={sessionId}
        runId={runId}
        history={history}
        empty={null}
        locale={assistantLocale}
        renderMessage={renderMessage}
        renderApprovalData={renderApprovalData}
        onRegenerate={onRegenerate}
        renderRunError={leaveToStatus}
      />
      <RunStatus
        sessionId={sessionId}
        runId={runId}
        record={record}
        timeline={timeline}
        canRegenerate={canRegenerate}
        onRegenerate={onRegenerate}
      />
    </div>
  )
})
