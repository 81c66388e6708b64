import type { MouseEvent } from 'react'
import { useAppSelector } from '../app/useAppSelector.ts'
import { selectFollowedRunId } from './selectFollowedRunId.ts'
import { useCancelRun } from './useCancelRun.ts'

interface RunControlsProps {
  readonly sessionId: string
  readonly onStop: () => void
  /** Called when a control was used: it is about to go, and the focus should not go with it. */
  readonly onUsed: () => void
}

/** Stop closes the local stream; cancel asks the server, and the run is cancelled when the server says so. */
export function RunControls({ sessionId, onStop, onUsed }: RunControlsProps) {
  const runId = useAppSelector((state) => selectFollowedRunId(state, sessionId)) ?? ''
  const { isCancelling, failure, cancel } = useCancelRun(runId)

  // A double click's second half was meant for what stood there before.
  const press = (use: () => void) => (event: MouseEvent) => {
    if (event.detail > 1) return
    use()
    onUsed()
  }

  return (
    <div className="run-controls">
      {failure !== undefined && (
        <p className="run-controls-failure" role="alert">
          {failure}
        </p>
      )}
      <button
        type="button"
        className="button button-danger"
        // Before the server has named the run there is nothing that it could cancel.
        disabled={runId === '' || isCancelling}
        onClick={press(cancel)}
      >
        {isCancelling ? 'Cancelling…' : 'Cancel run'}
      </button>
      <button type="button" className="button" onClick={press(onStop)}>
        Stop watching
      </button>
    </div>
  )
}
