import { useAppDispatch } from '../app/useAppDispatch.ts'
import { agent } from './agent.ts'

interface ContinueRunProps {
  readonly runId: string
  readonly label: string
  /** Called when it was pressed: it is about to go, and the focus should not go with it. */
  readonly onUsed: () => void
}

/** Follows a run again that this page lost or let go of, where it can be taken up from where the page stands. */
export function ContinueRun({ runId, label, onUsed }: ContinueRunProps) {
  const dispatch = useAppDispatch()
  const wire = agent.useConnection({ runId })
  // While it is being taken up again the next attempt can be made at once.
  if (!wire?.canResume && wire?.attempt === undefined) return null
  const resume = () => {
    void dispatch(agent.actions.resumeRun({ runId }))
    onUsed()
  }
  return (
    <button type="button" className="link-button" onClick={resume}>
      {label}
    </button>
  )
}
