import { memo } from 'react'
import { assertNever } from '../../src/assertNever.ts'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import { ApprovalCard } from '../approval/ApprovalCard.tsx'
import { selectRunOutlook } from '../run/selectRunOutlook.ts'
import { useSelectorWhile } from '../run/useSelectorWhile.ts'
import { ToolCallCard } from '../tool-call/ToolCallCard.tsx'
import { getItemStatus, type RunOutlook } from '../view/itemStatus.ts'
import { ArtifactItem } from './ArtifactItem.tsx'
import { isOpenItem } from './isOpenItem.ts'
import { MessageItem } from './MessageItem.tsx'
import { ReasoningItem } from './ReasoningItem.tsx'
import { readTimelineItem } from './readTimelineItem.ts'
import { TaskItem } from './TaskItem.tsx'
import type { TimelineView } from './timelineView.ts'

/** One row: it follows its entity while that is open, and gets it by props once it has ended. */
export const TimelineRow = memo(function TimelineRow({ item, view }: { item: AgentTimelineItem; view: TimelineView }) {
  const { agent, sessionId } = view
  const isOpen = isOpenItem(item)
  // A failed tool call may be tried again while its run goes on.
  const followsRun = isOpen || item.entity.status === 'failed'
  const current = useSelectorWhile(isOpen, (root) => readTimelineItem(agent, root, { sessionId, item }), item)
  const outlook = useSelectorWhile(followsRun, (root) => selectRunOutlook(agent, root, item.runId), 'ended')
  return (
    <li className="agent-row" data-kind={current.kind}>
      <ItemBody item={current} outlook={outlook} view={view} />
    </li>
  )
})

function ItemBody({ item, outlook, view }: { item: AgentTimelineItem; outlook: RunOutlook; view: TimelineView }) {
  const { agent, locale, now, renderMessage, renderToolCall, renderApprovalData, renderArtifact } = view
  const status = getItemStatus(item.entity.status, outlook)
  switch (item.kind) {
    case 'message':
      return <MessageItem message={item.entity} status={status} locale={locale} render={renderMessage} />
    case 'reasoning':
      return <ReasoningItem reasoning={item.entity} status={status} locale={locale} />
    case 'tool':
      if (renderToolCall) return renderToolCall(item.entity, { status })
      return <ToolCallCard agent={agent} toolCall={item.entity} outlook={outlook} locale={locale} />
    case 'approval':
      return (
        <ApprovalCard
          agent={agent}
          approval={item.entity}
          outlook={outlook}
          locale={locale}
          renderData={renderApprovalData}
          now={now}
        />
      )
    case 'task':
      return <TaskItem task={item.entity} status={status} locale={locale} />
    case 'artifact':
      return <ArtifactItem artifact={item.entity} status={status} locale={locale} render={renderArtifact} />
    default:
      return assertNever(item)
  }
}
