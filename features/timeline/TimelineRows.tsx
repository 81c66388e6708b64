import { memo } from 'react'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { RunOutlook } from '../view/itemStatus.ts'
import { getItemKey } from './getItemKey.ts'
import { isOpenItem } from './isOpenItem.ts'
import { TimelineRow } from './TimelineRow.tsx'
import type { TimelineView } from './timelineView.ts'

interface TimelineRowsProps {
  items: readonly AgentTimelineItem[]
  outlooks: Readonly<Record<string, RunOutlook>>
  view: TimelineView
}

const groupSize = 64

/**
 * The rows in groups that are rendered apart: React walks all siblings of what it renders, so that in one long list
 * each delta would cost a look at every row.
 */
export function TimelineRows({ items, outlooks, view }: TimelineRowsProps) {
  const groups = Array.from({ length: Math.ceil(items.length / groupSize) }, (_, index) =>
    items.slice(index * groupSize, (index + 1) * groupSize),
  )
  return groups.map((group, index) => (
    // Items are appended, so that a group's place is its name.
    // eslint-disable-next-line react/no-array-index-key
    <RowGroup key={index} items={group} outlooks={outlooks} view={view} />
  ))
}

const RowGroup = memo(function RowGroup({ items, outlooks, view }: TimelineRowsProps) {
  return items.map((item) => (
    <TimelineRow key={getItemKey(item)} item={item} outlook={getRowOutlook(item, outlooks)} view={view} />
  ))
}, isSameGroup)

function isSameGroup(before: TimelineRowsProps, after: TimelineRowsProps): boolean {
  const isSameAround = before.outlooks === after.outlooks && before.view === after.view
  if (!isSameAround || before.items.length !== after.items.length) return false
  return before.items.every((item, index) => item === after.items[index])
}

/** A row is told of its run where that changes what it shows: a failed tool call may be tried again meanwhile. */
function getRowOutlook(item: AgentTimelineItem, outlooks: TimelineRowsProps['outlooks']): RunOutlook {
  const followsRun = isOpenItem(item) || (item.kind === 'tool' && item.entity.status === 'failed')
  return (followsRun ? getOwn(outlooks, item.runId) : undefined) ?? 'ended'
}
