import type { SendFailure } from './describeSendFailure.ts'

interface SendFailureNoteProps {
  readonly failure: SendFailure
  readonly canSend: boolean
  readonly onSupersede: () => void
  readonly onNewConversation: () => void
}

/** Says why a message went nowhere, above the field to which it has come back. */
export function SendFailureNote({ failure, canSend, onSupersede, onNewConversation }: SendFailureNoteProps) {
  return (
    <div className="send-failure" role="alert">
      <p className="send-failure-title">{failure.title}</p>
      <p>{failure.advice}</p>
      {failure.kind === 'busy' && (
        <div className="send-failure-actions">
          <button type="button" className="button" disabled={!canSend} onClick={onSupersede}>
            Cancel it and send
          </button>
          <button type="button" className="button" onClick={onNewConversation}>
            New conversation
          </button>
        </div>
      )}
    </div>
  )
}
