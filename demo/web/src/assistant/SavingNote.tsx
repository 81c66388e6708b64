import './SavingNote.css'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { agent } from './agent.ts'
import { describeSavingFailure } from './describeSavingFailure.ts'

interface SavingNoteProps {
  readonly sessionId: string
  readonly canStartClean: boolean
  /** Called when the button was used: it is about to go, and the focus should not go with it. */
  readonly onUsed: () => void
}

/** Says that this device does not keep the conversation, or that what it kept is not used. The chat works all the same. */
export function SavingNote({ sessionId, canStartClean, onUsed }: SavingNoteProps) {
  const dispatch = useAppDispatch()
  const error = useAppSelector((state) => agent.selectors.selectCheckpointError(state, sessionId))
  const failure = error && describeSavingFailure(error)

  const startClean = () => {
    // Where it fails, the session's own error says so.
    void dispatch(agent.actions.removeSession({ sessionId }))
    onUsed()
  }

  // The live region is there before its text is: what comes with its region is not read out everywhere.
  return (
    <div className="saving-note" role="status">
      {failure && (
        <>
          <span className="saving-note-mark" aria-hidden="true" />
          <p>{failure.words}</p>
          {failure.isInTheWay && canStartClean && (
            <button
              type="button"
              className="link-button"
              onClick={({ detail }) => {
                if (detail <= 1) startClean()
              }}
            >
              Start clean
            </button>
          )}
        </>
      )}
    </div>
  )
}
