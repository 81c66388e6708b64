import { useMemo, type ReactNode } from 'react'
import { selectAgentTimeline } from '../../src/selectors/selectAgentTimeline.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { enUS } from '../locale/enUS.ts'
import type { RunOutlook } from '../view/itemStatus.ts'
import { TimelineRows } from './TimelineRows.tsx'
import type { TimelineSlots, TimelineView } from './timelineView.ts'

/** What `AgentStateTimeline` is given. */
export interface AgentStateTimelineProps extends Omit<TimelineSlots, 'onRegenerate'> {
  state: AgentState
  /** How it all stood in the end, so that an approval that waits shows what was decided; `state` by default. */
  end?: AgentState | undefined
  /** One run of the state; all by default. */
  runId?: string | undefined
  /** Whether reasoning is shown; it is by default. */
  includeReasoning?: boolean | undefined
  /** How many items are shown at the most, the newest; all by default. */
  maxItems?: number | undefined
  /** What stands there before the first item. */
  empty?: ReactNode
  /** `enUS` by default. */
  locale?: AgentLocale | undefined
}

/**
 * Shows a state as `AgentTimeline` shows a session, without a store: of a replay, of a test. Nothing in it can be sent,
 * and where a person was asked it shows what was decided.
 *
 * @experimental
 * @example
 * <AgentStateTimeline state={replayAgentEvents(events)} />
 */
export function AgentStateTimeline(props: AgentStateTimelineProps) {
  const { state, end = state, runId, includeReasoning = true, maxItems = Infinity, empty, locale = enUS } = props
  const { renderMessage, renderToolCall, renderApprovalData, renderArtifact } = props
  const { approvals, runs } = state
  const all = selectAgentTimeline(state, { runId, includeReasoning })
  // By halves: were one to go for each that comes, every row would move.
  const half = Math.max(1, Math.floor(maxItems / 2))
  const hidden = all.length > maxItems ? Math.ceil((all.length - maxItems) / half) * half : 0
  const items = useMemo(() => (hidden === 0 ? all : all.slice(hidden)), [all, hidden])
  const outlooks = useMemo(() => {
    const running = Object.values(runs).filter(({ status }) => status === 'running')
    return Object.fromEntries(running.map(({ id }): [string, RunOutlook] => [id, 'running']))
  }, [runs])
  const view = useMemo<TimelineView>(
    () => ({
      source: { kind: 'past', approvals, end },
      ...{ locale, renderMessage, renderToolCall, renderApprovalData, renderArtifact },
    }),
    [approvals, end, locale, renderMessage, renderToolCall, renderApprovalData, renderArtifact],
  )
  return (
    <div className="agent-timeline">
      {all.length === 0 && <div className="agent-empty">{empty ?? locale.emptyTimeline}</div>}
      {hidden > 0 && <p className="agent-note">{locale.replay.hidden(hidden)}</p>}
      <ol className="agent-timeline-list" aria-label={locale.timeline}>
        <TimelineRows items={items} outlooks={outlooks} view={view} />
      </ol>
    </div>
  )
}
