import './RunStatus.css'
import { memo, useMemo, useRef } from 'react'
import type { AgentState } from 'redux-agent'
import type { AgentRecordedRun } from 'redux-agent/rtk-query'
import { assertNever } from '../app/assertNever.ts'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { agent } from './agent.ts'
import { assistantLocale } from './assistantLocale.ts'
import { ChangedDocument } from './ChangedDocument.tsx'
import { ContinueRun } from './ContinueRun.tsx'
import { findDocumentChanges } from './findDocumentChanges.ts'
import { selectDocumentChanges } from './selectDocumentChanges.ts'
import { selectRunPhase, type RunPhase } from './selectRunPhase.ts'
import { useCancelRun } from './useCancelRun.ts'
import { replayHash } from '../replay/replayHash.ts'
import { watchHash } from '../watch/watchHash.ts'

interface RunStatusProps {
  readonly sessionId: string
  readonly runId: string
  /** How the server has the run, and what it did, where the page does not hold it any more. */
  readonly record?: AgentRecordedRun | undefined
  readonly timeline?: AgentState | undefined
  readonly canRegenerate: boolean
  readonly onRegenerate?: ((runId: string) => void) | undefined
}

/** The line below a run that says how it stands: always there, so that nothing moves when the run ends. */
export const RunStatus = memo(function RunStatus(props: RunStatusProps) {
  const { sessionId, runId, record, timeline, canRegenerate, onRegenerate } = props
  const phase = useAppSelector((state) => selectRunPhase(state, runId)) ?? getRecordedPhase(record)
  const ownChanges = useAppSelector((state) => selectDocumentChanges(state, runId))
  const pastChanges = useMemo(() => (timeline ? findDocumentChanges(timeline.toolCalls, runId) : []), [timeline, runId])
  const changes = ownChanges.length > 0 ? ownChanges : pastChanges
  const run = agent.useAgentRun({ runId }) ?? timeline?.runs[runId]
  const wire = agent.useConnection({ runId })
  const isFollowed = wire?.isFollowed === true
  const isRestoring = agent.useConnectionState({ sessionId }) === 'restoring'
  const error = run?.error
  const { isCancelling, failure, cancel } = useCancelRun(runId)
  const dispatch = useAppDispatch()
  const lineRef = useRef<HTMLDivElement>(null)
  if (phase === undefined) return null

  const isOver = phase === 'completed' || phase === 'failed' || phase === 'cancelled'
  const isWatchable = phase === 'elsewhere' || phase === 'working' || phase === 'waiting'
  const isUnfollowed = phase === 'stopped' || phase === 'lost'

  // The buttons of a run that is not followed go once it is followed again.
  const holdFocus = () => lineRef.current?.focus({ preventScroll: true })

  // What becomes of it comes by the run's stream, where that can be taken up again.
  const cancelUnfollowed = () => {
    void dispatch(agent.actions.resumeRun({ runId }))
    cancel()
    holdFocus()
  }

  // The card that asks may stand above what came after it; the focus brings it into view.
  const showAsking = () => {
    const cards = lineRef.current?.parentElement?.querySelectorAll<HTMLElement>('.agent-actions .agent-button')
    const button = cards?.[0]
    // The question above the button is what is to be seen.
    button?.closest('.agent-card')?.scrollIntoView({ block: 'nearest' })
    button?.focus({ preventScroll: true })
  }

  return (
    <div className="run-status" data-phase={phase} ref={lineRef} tabIndex={-1}>
      <span className="run-status-mark" aria-hidden="true" />
      <p role="status">
        {phase === 'elsewhere' && isRestoring ? 'At work at the server.' : describe(phase, isFollowed)}
        {phase === 'failed' && error && ` ${error.message}`}
        {isUnfollowed && failure !== undefined && ` ${failure}`}
      </p>
      <div className="run-status-ways">
        {phase === 'held' && (
          <button type="button" className="link-button" onClick={showAsking}>
            Show it
          </button>
        )}
        {phase === 'cut' && <ContinueRun runId={runId} label="Try now" onUsed={holdFocus} />}
        {phase === 'lost' && <ContinueRun runId={runId} label="Try again" onUsed={holdFocus} />}
        {phase === 'stopped' && <ContinueRun runId={runId} label="Continue" onUsed={holdFocus} />}
        {isUnfollowed && (
          <button
            type="button"
            className="link-button link-button-danger"
            aria-disabled={isCancelling}
            onClick={({ detail }) => {
              if (!isCancelling && detail <= 1) cancelUnfollowed()
            }}
          >
            {isCancelling ? 'Cancelling…' : 'Cancel run'}
          </button>
        )}
        {isWatchable && !isFollowed && (
          <a className="link-button" href={watchHash.format(runId)} target="_blank" rel="noopener">
            Watch in a window
          </a>
        )}
        {(isOver || phase === 'waiting' || phase === 'interrupted') && (
          <a className="link-button" href={replayHash.format(runId)}>
            Replay
          </a>
        )}
        {isOver && onRegenerate && (
          // Not `disabled`, which would drop the focus from under the finger that pressed it.
          <button
            type="button"
            className="link-button"
            aria-disabled={!canRegenerate}
            onClick={({ detail }) => {
              if (canRegenerate && detail <= 1) onRegenerate(runId)
            }}
          >
            {assistantLocale.tool.regenerate}
          </button>
        )}
        {changes.map(({ documentId, title }) => (
          <ChangedDocument key={documentId} documentId={documentId} title={title} />
        ))}
      </div>
    </div>
  )
})

function getRecordedPhase(record: AgentRecordedRun | undefined): RunPhase | undefined {
  return record?.status === 'running' ? 'elsewhere' : record?.status
}

function describe(phase: RunPhase, isFollowed: boolean): string {
  switch (phase) {
    case 'working':
      return 'Working…'
    case 'cut':
      return 'The connection is lost. Trying to reach the server…'
    case 'offline':
      return 'No network. Waiting for it to come back…'
    case 'waiting':
      return isFollowed ? 'Waiting for an answer' : 'Waiting for your answer'
    case 'held':
      return 'A step failed for now and can be tried again'
    case 'stopped':
      return 'Not watched any more. The run may go on at the server; what it does from here on is not shown.'
    case 'lost':
      return 'The connection is lost, and the server could not be reached. Whether the run goes on there is not known.'
    case 'elsewhere':
      return 'At work at the server. This page does not follow it.'
    case 'interrupted':
      return 'The server was interrupted. Where the run was started it can be continued.'
    case 'completed':
      return 'Run completed'
    case 'failed':
      return 'The run failed.'
    case 'cancelled':
      return 'Run cancelled'
    default:
      return assertNever(phase)
  }
}
