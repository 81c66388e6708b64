import { useMemo, type ReactNode } from 'react'
import { useStore } from 'react-redux'
import type { AgentError } from '../../src/protocol/agentError.ts'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import { joinHistory } from '../history/joinHistory.ts'
import { listRetriedCalls } from '../history/listRetriedCalls.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { enUS } from '../locale/enUS.ts'
import { Announcements } from './Announcements.tsx'
import { createTimelineFeed } from './createTimelineFeed.ts'
import { EmptyTimeline } from './EmptyTimeline.tsx'
import { RunError } from './RunError.tsx'
import { TimelineRows } from './TimelineRows.tsx'
import type { TimelineSlots, TimelineView } from './timelineView.ts'
import { useRunOutlooks } from './useRunOutlooks.ts'
import { useTimelineOutline } from './useTimelineOutline.ts'

/** What `AgentTimeline` is given. */
export interface AgentTimelineProps extends TimelineSlots {
  agent: AnyReactAgentRuntime
  sessionId: string
  /** One run of the session; all by default. */
  runId?: string | undefined
  /** Whether reasoning is shown; it is by default. */
  includeReasoning?: boolean | undefined
  /**
   * What stands for good of the session, oldest first: it comes before what the session holds, each run in its place
   * (design, section 9). See `toTimelineItems`; give a stable array.
   *
   * @experimental
   */
  history?: readonly AgentTimelineItem[] | undefined
  /** What stands there before the first item. */
  empty?: ReactNode
  /** Shows below the rows why the latest run failed or lost its wire; its message and code by default. */
  renderRunError?: ((error: AgentError, of: { runId: string }) => ReactNode) | undefined
  /** `enUS` by default. */
  locale?: AgentLocale | undefined
  /** The clock of countdowns, in milliseconds; `Date.now` by default. */
  now?: (() => number) | undefined
}

const noHistory: readonly AgentTimelineItem[] = []
const getRunId = ({ runId }: AgentTimelineItem) => runId

/**
 * Shows all that happened in a session, in state order: messages, reasoning, tool calls, approvals, tasks, artifacts.
 * A delta renders its own row alone. A task's progress of 0 to 1 is shown as a fraction of the whole, above 1 as a
 * percentage. Scrolling is the app's business.
 *
 * @example
 * <AgentTimeline agent={agent} sessionId={sessionId} renderMessage={renderMarkdown} />
 */
export function AgentTimeline(props: AgentTimelineProps) {
  const { agent, sessionId, runId, includeReasoning = true, locale = enUS, now, empty, history = noHistory } = props
  const { renderMessage, renderToolCall, renderApprovalData, renderArtifact, onRegenerate, renderRunError } = props
  const own = useTimelineOutline(agent, { sessionId, runId, includeReasoning })
  const items = useMemo(() => joinHistory(history, own, getRunId), [history, own])
  const retried = useMemo(() => listRetriedCalls(history), [history])
  const outlooks = useRunOutlooks(agent, sessionId)
  const store = useStore<AgentRootState<string>>()
  const feed = useMemo(() => {
    const read = () => agent.selectors.selectAgentTimeline(store.getState(), { sessionId, runId, includeReasoning })
    return createTimelineFeed({ subscribe: store.subscribe, read })
  }, [agent, store, sessionId, runId, includeReasoning])
  const view = useMemo<TimelineView>(
    () => ({
      source: { kind: 'live', agent, sessionId, feed, retried },
      ...{ locale, now },
      ...{ renderMessage, renderToolCall, renderApprovalData, renderArtifact, onRegenerate },
    }),
    [
      agent,
      sessionId,
      feed,
      retried,
      locale,
      now,
      renderMessage,
      renderToolCall,
      renderApprovalData,
      renderArtifact,
      onRegenerate,
    ],
  )
  const runs = { agent, sessionId, runId, lastRunId: own.at(-1)?.runId }
  return (
    <div className="agent-timeline">
      {items.length === 0 && <EmptyTimeline source={runs}>{empty ?? locale.emptyTimeline}</EmptyTimeline>}
      <ol className="agent-timeline-list" aria-label={locale.timeline}>
        <TimelineRows items={items} outlooks={outlooks} view={view} />
      </ol>
      <RunError source={runs} locale={locale} render={renderRunError} />
      {/* What is read of the past is no news. */}
      <Announcements agent={agent} sessionId={sessionId} items={own} locale={locale} />
    </div>
  )
}
