import { useCallback, useMemo, useState } from 'react'
import type { AgentTrace } from '../../src/trace/agentTrace.ts'
import type { AgentTraceMoment, AgentTraceMomentKind } from '../../src/trace/agentTraceMoment.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { enUS } from '../locale/enUS.ts'
import { AgentStateTimeline } from '../timeline/AgentStateTimeline.tsx'
import type { TimelineSlots } from '../timeline/timelineView.ts'
import { useLatest } from '../view/useLatest.ts'
import { describeMoment } from './describeMoment.ts'
import { ReplayBar } from './ReplayBar.tsx'
import { ReplayKinds } from './ReplayKinds.tsx'
import { omitRepeats } from './omitRepeats.ts'
import { ReplayMoments } from './ReplayMoments.tsx'
import { useTraceReplay, type TraceReplayOptions } from './useTraceReplay.ts'

/** A page of more stands still; whoever made the file may have wanted just that. */
const maxItems = 300

/** What `TraceReplay` is given. */
export interface TraceReplayProps extends TraceReplayOptions, Omit<TimelineSlots, 'onRegenerate'> {
  trace: AgentTrace
  /** `enUS` by default. */
  locale?: AgentLocale | undefined
}

/**
 * Shows a recorded run as it was at any of its events: a slider with marks, play and pause, steps, and a list of its
 * tool calls, approvals and checkpoints. It needs no store; nothing is executed and nothing can be sent. Scrolling is
 * the app's business: the controls stick to the top of what scrolls.
 *
 * @experimental
 * @example
 * <TraceReplay trace={createAgentTrace({ events })} renderMessage={renderMarkdown} />
 */
export function TraceReplay(props: TraceReplayProps) {
  const { trace, locale = enUS, maxGap, initialSequence, timers } = props
  const { renderMessage, renderToolCall, renderApprovalData, renderArtifact } = props
  const replay = useTraceReplay(trace, { maxGap, initialSequence, timers })
  const { state, end, event, isPlaying, moments: all } = replay
  const [kinds, setKinds] = useState<readonly AgentTraceMomentKind[]>(['tool', 'approval', 'checkpoint'])
  const moments = useMemo(() => all.filter(({ kind }) => kinds.includes(kind)), [all, kinds])
  const listed = useMemo(() => omitRepeats(moments), [moments])
  const sequence = event?.sequence ?? -1
  const seek = useLatest(replay.seekSequence)
  const seekSequence = useCallback((to: number) => seek.current(to), [seek])
  const checkpoint = all.findLast((moment) => moment.kind === 'checkpoint' && moment.sequence <= sequence)
  const refused = end.issues.length + end.droppedIssues

  return (
    <section className="agent-replay" aria-label={locale.replay.label} data-playing={isPlaying}>
      <ReplayBar
        replay={replay}
        moments={moments}
        kinds={kinds}
        startedAt={trace.events[0]?.timestamp ?? 0}
        lastSequence={trace.events.at(-1)?.sequence ?? 0}
        locale={locale}
      />
      <div className="agent-replay-body">
        <div className="agent-replay-side">
          <ReplayKinds moments={all} shown={kinds} locale={locale} onChange={setKinds} />
          <ReplayMoments
            moments={listed}
            current={listed.findLastIndex((moment) => moment.sequence <= sequence)}
            locale={locale}
            onSeek={seekSequence}
          />
          <p className="agent-replay-checkpoint">{describeLast(checkpoint, locale)}</p>
          {refused > 0 && <p className="agent-note">{locale.replay.refused(refused)}</p>}
        </div>
        <AgentStateTimeline
          state={state}
          end={end}
          maxItems={maxItems}
          empty={locale.replay.empty}
          locale={locale}
          renderMessage={renderMessage}
          renderToolCall={renderToolCall}
          renderApprovalData={renderApprovalData}
          renderArtifact={renderArtifact}
        />
      </div>
    </section>
  )
}

function describeLast(checkpoint: AgentTraceMoment | undefined, locale: AgentLocale): string {
  if (!checkpoint) return locale.replay.noCheckpoint
  return locale.replay.checkpoint(describeMoment(checkpoint, locale), checkpoint.sequence)
}
