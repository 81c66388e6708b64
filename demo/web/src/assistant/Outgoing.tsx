import { agent } from './agent.ts'

interface OutgoingProps {
  readonly text: string
  /** The run that it starts. */
  readonly runId: string
}

/** A message on its way, in the place where the server's word of it will stand. */
export function Outgoing({ text, runId }: OutgoingProps) {
  const wire = agent.useConnection({ runId })
  const isOffline = wire?.isOffline === true
  const isCut = isOffline || wire?.attempt !== undefined
  return (
    <div className="assistant-run">
      <div className="agent-message" data-role="user">
        <div className="agent-message-header">
          <span className="agent-speaker">You</span>
        </div>
        <div className="agent-message-content">{text}</div>
      </div>
      <div className="run-status" data-phase={isCut ? 'cut' : 'working'}>
        <span className="run-status-mark" aria-hidden="true" />
        <p role="status">{isOffline ? waiting : isCut ? trying : 'Sending…'}</p>
      </div>
    </div>
  )
}

const waiting = 'Not sent yet: no network. Waiting for it to come back…'
const trying = 'The server cannot be reached. Trying again… “Stop watching” gives your text back.'
