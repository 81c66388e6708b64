import './AssistantPanel.css'
import { Icon } from '../app/Icon.tsx'

/** The place of the assistant, until an agent is connected to the store. */
export function AssistantPanel() {
  return (
    <div className="assistant-panel">
      <div className="panel-head">
        <h2>Assistant</h2>
      </div>
      <div className="message message-centred">
        <span className="assistant-panel-mark">
          <Icon name="assistant" />
        </span>
        <p className="message-title">No assistant is connected</p>
        <p>
          Once one is, you can ask it to find, read and change documents here, and you see each change before it is
          made.
        </p>
      </div>
    </div>
  )
}
