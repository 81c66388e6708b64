import { assertNever } from '../app/assertNever.ts'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { draftsSlice, type Draft } from './draftsSlice.ts'

const { draftsSaveRequested } = draftsSlice.actions

interface SaveStatusProps {
  readonly status: Draft['status'] | 'saved'
  /** Called when "Try again" was pressed: it is about to go, and the focus should not go with it. */
  readonly onRetried: () => void
}

export function SaveStatus({ status, onRetried }: SaveStatusProps) {
  const dispatch = useAppDispatch()
  return (
    <div className="save-status" data-status={status}>
      <span className="save-status-dot" />
      {/* Read out at every pause, autosave would never be quiet: only what went wrong is announced. */}
      {status !== 'failed' && <span>{describe(status)}</span>}
      <span role="alert">{status === 'failed' && describe(status)}</span>
      {status === 'failed' && (
        <button
          type="button"
          className="link-button"
          onClick={() => {
            dispatch(draftsSaveRequested())
            onRetried()
          }}
        >
          Try again
        </button>
      )}
    </div>
  )
}

function describe(status: Draft['status'] | 'saved'): string {
  switch (status) {
    case 'saved':
      return 'Saved'
    case 'editing':
      return 'Unsaved changes'
    case 'saving':
      return 'Saving…'
    case 'failed':
      return 'Not saved. Your text is kept on this page.'
    case 'conflict':
      return 'Waiting for your decision'
    default:
      return assertNever(status)
  }
}
