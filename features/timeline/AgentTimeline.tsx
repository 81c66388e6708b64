import { useMemo, type ReactNode } from 'react'
import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { enUS } from '../locale/enUS.ts'
import { getItemKey } from './getItemKey.ts'
import { TimelineRow } from './TimelineRow.tsx'
import type { TimelineSlots, TimelineView } from './timelineView.ts'
import { useAnnouncements } from './useAnnouncements.ts'
import { useTimelineOutline } from './useTimelineOutline.ts'

export interface AgentTimelineProps extends TimelineSlots {
  agent: AnyReactAgentRuntime
  sessionId: string
  /** One run of the session; all by default. */
  runId?: string | undefined
  /** Whether reasoning is shown; it is by default. */
  includeReasoning?: boolean | undefined
  /** What stands there before the first item. */
  empty?: ReactNode
  /** `enUS` by default. */
  locale?: AgentLocale | undefined
  /** The clock of countdowns, in milliseconds; `Date.now` by default. */
  now?: (() => number) | undefined
}

/**
 * Shows all that happened in a session, in state order: messages, reasoning, tool calls, approvals, tasks, artifacts.
 * A delta renders its own row alone. Scrolling is the app's business.
 *
 * @example
 * <AgentTimeline agent={agent} sessionId={sessionId} renderMessage={renderMarkdown} />
 */
export function AgentTimeline(props: AgentTimelineProps) {
  const { agent, sessionId, runId, includeReasoning = true, locale = enUS, now, empty } = props
  const { renderMessage, renderToolCall, renderApprovalData, renderArtifact } = props
  const items = useTimelineOutline(agent, { sessionId, runId, includeReasoning })
  const view = useMemo<TimelineView>(
    () => ({ agent, sessionId, locale, now, renderMessage, renderToolCall, renderApprovalData, renderArtifact }),
    [agent, sessionId, locale, now, renderMessage, renderToolCall, renderApprovalData, renderArtifact],
  )
  const announcements = useAnnouncements(items, view)
  return (
    <div className="agent-timeline">
      {items.length === 0 && <div className="agent-empty">{empty ?? locale.emptyTimeline}</div>}
      <ol className="agent-timeline-list" aria-label={locale.timeline}>
        {items.map((item) => (
          <TimelineRow key={getItemKey(item)} item={item} view={view} />
        ))}
      </ol>
      <div ref={announcements} className="agent-visually-hidden" role="status" aria-live="polite" />
    </div>
  )
}
