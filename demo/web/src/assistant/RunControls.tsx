import { useAppSelector } from '../app/useAppSelector.ts'
import { agent } from './agent.ts'

interface RunControlsProps {
  readonly sessionId: string
  readonly onStop: () => void
  /** Called when a control was used: it is about to go, and the focus should not go with it. */
  readonly onUsed: () => void
}

/** Stop closes the local stream; cancel asks the server, and the run is cancelled when the server says so. */
export function RunControls({ sessionId, onStop, onUsed }: RunControlsProps) {
  const { cancelRun } = agent.useAgentActions()
  const runId = useAppSelector((state) => agent.selectors.selectRunningRuns(state, sessionId).at(-1)?.id) ?? ''
  const command = agent.useCommandState({ runId, type: 'run.cancel' })
  const isCancelling = command?.status === 'submitting'

  return (
    <div className="run-controls">
      {command?.status === 'failed' && (
        <p className="run-controls-failure" role="alert">
          Not cancelled: {command.error?.message}
        </p>
      )}
      <button
        type="button"
        className="button"
        onClick={() => {
          onStop()
          onUsed()
        }}
      >
        Stop
      </button>
      <button
        type="button"
        className="button button-danger"
        // Before the server has named the run there is nothing that it could cancel.
        disabled={runId === '' || isCancelling}
        onClick={() => {
          // Why a cancel failed stands in its command's state.
          cancelRun({ runId }).catch(() => undefined)
          onUsed()
        }}
      >
        {isCancelling ? 'Cancelling…' : 'Cancel run'}
      </button>
    </div>
  )
}
