import { memo } from 'react'
import { assertNever } from '../../src/assertNever.ts'
import { getAgentEntityKey } from '../../src/protocol/getAgentEntityKey.ts'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import { ApprovalCard } from '../approval/ApprovalCard.tsx'
import { PastToolCall } from '../tool-call/PastToolCall.tsx'
import { ToolCallCard } from '../tool-call/ToolCallCard.tsx'
import { getItemStatus, type RunOutlook } from '../view/itemStatus.ts'
import { ArtifactItem } from './ArtifactItem.tsx'
import { MessageItem } from './MessageItem.tsx'
import { ReasoningItem } from './ReasoningItem.tsx'
import { TaskItem } from './TaskItem.tsx'
import type { TimelineView } from './timelineView.ts'
import { useRowItem } from './useRowItem.ts'

/** One row: it follows its entity while that is open, and gets it by props once it has ended. */
export const TimelineRow = memo(function TimelineRow(props: {
  item: AgentTimelineItem
  outlook: RunOutlook
  view: TimelineView
}) {
  const { item, outlook, view } = props
  const current = useRowItem(item, view.source)
  return (
    <li className="agent-row" data-kind={current.kind}>
      <ItemBody item={current} outlook={outlook} view={view} />
    </li>
  )
})

function ItemBody({ item, outlook, view }: { item: AgentTimelineItem; outlook: RunOutlook; view: TimelineView }) {
  const { source, locale, now, renderMessage, renderToolCall, renderApprovalData, renderArtifact, onRegenerate } = view
  const status = getItemStatus(item.entity.status, outlook)
  switch (item.kind) {
    case 'message':
      return <MessageItem message={item.entity} status={status} locale={locale} render={renderMessage} />
    case 'reasoning':
      return <ReasoningItem reasoning={item.entity} status={status} locale={locale} />
    case 'tool':
      if (renderToolCall) return renderToolCall(item.entity, { status })
      if (source.kind === 'past') {
        return <PastToolCall source={source} toolCall={item.entity} outlook={outlook} locale={locale} />
      }
      return (
        <ToolCallCard
          agent={source.agent}
          toolCall={item.entity}
          outlook={outlook}
          locale={locale}
          isRetriedBefore={source.retried.has(getAgentEntityKey(item.runId, item.id))}
          onRegenerate={onRegenerate}
        />
      )
    case 'approval':
      return (
        <ApprovalCard
          source={source}
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
