import { useAppDispatch } from '../app/useAppDispatch.ts'
import { agent } from './agent.ts'

/** Follows a run again that this page lost or let go of, where it can be taken up from where the page stands. */
export function ContinueRun({ runId }: { readonly runId: string }) {
  const dispatch = useAppDispatch()
  const canResume = agent.useConnection({ runId })?.canResume
  if (!canResume) return null
  return (
    <button type="button" className="link-button" onClick={() => void dispatch(agent.actions.resumeRun({ runId }))}>
      Continue
    </button>
  )
}
