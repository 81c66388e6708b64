import './Composer.css'
import { useId, type KeyboardEvent, type RefObject } from 'react'
import { RunControls } from './RunControls.tsx'
import { SavingNote } from './SavingNote.tsx'

interface ComposerProps {
  readonly sessionId: string
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly isBusy: boolean
  readonly onTextChange: (text: string) => void
  readonly onSend: (text: string) => void
  readonly onStop: () => void
}

/** The field for a message. While a run is at work it can be written in, but only the next message waits there. */
export function Composer({ sessionId, fieldRef, text, isBusy, onTextChange, onSend, onStop }: ComposerProps) {
  const id = useId()
  const canSend = !isBusy && text.trim() !== ''

  const submit = () => {
    if (!canSend) return
    onSend(text.trim())
    fieldRef.current?.focus()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends an input method's word is not meant for us; Safari tells it by the key code alone.
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || isComposing) return
    event.preventDefault()
    submit()
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <SavingNote sessionId={sessionId} canStartClean={!isBusy} onUsed={() => fieldRef.current?.focus()} />
      <label className="visually-hidden" htmlFor={`${id}-field`}>
        Message to the assistant
      </label>
      <textarea
        id={`${id}-field`}
        ref={fieldRef}
        className="composer-field"
        rows={2}
        value={text}
        placeholder={isBusy ? 'Write what comes next…' : 'Ask for something…'}
        enterKeyHint="send"
        aria-keyshortcuts="Control+/ Meta+/"
        aria-describedby={`${id}-hint`}
        onChange={(event) => onTextChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="composer-foot">
        <p id={`${id}-hint`} className="composer-hint">
          {/* The buttons say it while there are some. */}
          {!isBusy && 'Enter sends, Shift+Enter starts a new line, Ctrl+/ leads here.'}
        </p>
        {isBusy && <RunControls sessionId={sessionId} onStop={onStop} onUsed={() => fieldRef.current?.focus()} />}
        {/* It keeps its place while a run is at work: whoever presses it twice presses nothing else. */}
        <button type="submit" className="button button-primary" disabled={!canSend}>
          Send
        </button>
      </div>
    </form>
  )
}
