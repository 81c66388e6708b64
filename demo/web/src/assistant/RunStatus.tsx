import './RunStatus.css'
import { memo, useRef } from 'react'
import { assertNever } from '../app/assertNever.ts'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { agent } from './agent.ts'
import { assistantLocale } from './assistantLocale.ts'
import { ChangedDocument } from './ChangedDocument.tsx'
import { ContinueRun } from './ContinueRun.tsx'
import { selectDocumentChanges } from './selectDocumentChanges.ts'
import { selectRunPhase, type RunPhase } from './selectRunPhase.ts'
import { useCancelRun } from './useCancelRun.ts'

interface RunStatusProps {
  readonly runId: string
  readonly canRegenerate: boolean
  readonly onRegenerate: (runId: string) => void
}

/** The line below a run that says how it stands: always there, so that nothing moves when the run ends. */
export const RunStatus = memo(function RunStatus({ runId, canRegenerate, onRegenerate }: RunStatusProps) {
  const phase = useAppSelector((state) => selectRunPhase(state, runId))
  const changes = useAppSelector((state) => selectDocumentChanges(state, runId))
  const error = agent.useAgentRun({ runId })?.error
  const { isCancelling, failure, cancel } = useCancelRun(runId)
  const dispatch = useAppDispatch()
  const lineRef = useRef<HTMLDivElement>(null)
  if (phase === undefined) return null

  const isOver = phase === 'completed' || phase === 'failed' || phase === 'cancelled'
  const isUnfollowed = phase === 'stopped' || phase === 'lost'

  // What becomes of it comes by the run's stream, where that can be taken up again.
  const cancelUnfollowed = () => {
    void dispatch(agent.actions.resumeRun({ runId }))
    cancel()
    // The button goes once the run is followed again.
    lineRef.current?.focus({ preventScroll: true })
  }

  // The card that asks may stand above what came after it; the focus brings it into view.
  const showAsking = () => {
    const cards = lineRef.current?.parentElement?.querySelectorAll<HTMLElement>('.agent-actions .agent-button')
    cards?.[0]?.focus()
  }

  return (
    <div className="run-status" data-phase={phase} ref={lineRef} tabIndex={-1}>
      <span className="run-status-mark" aria-hidden="true" />
      <p role="status">
        {describe(phase)}
        {phase === 'failed' && error && ` ${error.message}`}
        {isUnfollowed && failure !== undefined && ` ${failure}`}
      </p>
      <div className="run-status-ways">
        {phase === 'held' && (
          <button type="button" className="link-button" onClick={showAsking}>
            Show it
          </button>
        )}
        {isUnfollowed && <ContinueRun runId={runId} />}
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
        {isOver && (
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

function describe(phase: RunPhase): string {
  switch (phase) {
    case 'working':
      return 'Working…'
    case 'waiting':
      return 'Waiting for your decision'
    case 'held':
      return 'A step failed for now and can be tried again'
    case 'stopped':
      return 'You stopped following. The run goes on at the server; what it does from here on is not shown.'
    case 'lost':
      return 'The connection was lost. The run may go on at the server; what it does from here on is not shown.'
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
