import './OlderNote.css'
import { PassingButton } from '../app/PassingButton.tsx'

interface OlderNoteProps {
  readonly isLoading: boolean
  /** Asks again, where what was before did not come. */
  readonly onRetry: (() => void) | undefined
}

/** Says over the start of a conversation that what was before is on its way, or did not come; it moves no row. */
export function OlderNote({ isLoading, onRetry }: OlderNoteProps) {
  if (isLoading) {
    return (
      <p className="older-note" role="status">
        Loading what was before…
      </p>
    )
  }
  if (!onRetry) return null
  return (
    <div className="older-note" role="alert">
      <p>What was before could not be loaded.</p>
      <PassingButton className="link-button" onClick={onRetry}>
        Try again
      </PassingButton>
    </div>
  )
}
