import type { AgentLocale } from '../locale/agentLocale.ts'
import type { ItemStatus } from './itemStatus.ts'
import { StatusIcon } from './StatusIcon.tsx'

/** A status as an icon and a word. */
export function StatusBadge({ status, locale }: { status: ItemStatus; locale: AgentLocale }) {
  return (
    <span className="agent-status" data-status={status}>
      <StatusIcon status={status} />
      {locale.status[status]}
    </span>
  )
}
