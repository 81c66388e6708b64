import { useAppDispatch } from '../app/useAppDispatch.ts'
import { agent } from './agent.ts'

interface ContinueRunProps {
  readonly runId: string
  /** Called when it was pressed: it is about to go, and the focus should not go with it. */
  readonly onUsed: () => void
}

/** Follows a run again that this page lost or let go of, where it can be taken up from where the page stands. */
export function ContinueRun({ runId, onUsed }: ContinueRunProps) {
  const dispatch = useAppDispatch()
  const canResume = agent.useConnection({ runId })?.canResume
  if (!canResume) return null
  const resume = () => {
    void dispatch(agent.actions.resumeRun({ runId }))
    onUsed()
  }
  return (
    <button type="button" className="link-button" onClick={resume}>
      Continue
    </button>
  )
}
