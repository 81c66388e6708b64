import { memo } from 'react'
import { assertNever } from '../app/assertNever.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { agent } from './agent.ts'
import { selectRunPhase, type RunPhase } from './selectRunPhase.ts'

interface RunStatusProps {
  readonly runId: string
  readonly canAsk: boolean
  readonly onAskAgain: (runId: string) => void
}

/** The line below a run that says how it stands: always there, so that nothing moves when the run ends. */
export const RunStatus = memo(function RunStatus({ runId, canAsk, onAskAgain }: RunStatusProps) {
  const phase = useAppSelector((state) => selectRunPhase(state, runId))
  const error = agent.useAgentRun({ runId })?.error
  if (phase === undefined) return null
  return (
    <div className="run-status" data-phase={phase}>
      <span className="run-status-mark" aria-hidden="true" />
      <p role="status">
        {describe(phase)}
        {phase === 'failed' && error && ` ${error.message}`}
      </p>
      {(phase === 'failed' || phase === 'cancelled') && (
        <button type="button" className="link-button" disabled={!canAsk} onClick={() => onAskAgain(runId)}>
          Ask again
        </button>
      )}
    </div>
  )
})

function describe(phase: RunPhase): string {
  switch (phase) {
    case 'working':
      return 'Working…'
    case 'waiting':
      return 'Waiting for your decision'
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
