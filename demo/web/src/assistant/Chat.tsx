import './Chat.css'
import { useCallback, useEffect, useRef, type Dispatch, type SetStateAction } from 'react'
import type { RunServerInput } from 'redux-agent/adapters/run-server'
import { PassingButton } from '../app/PassingButton.tsx'
import { useAppSelector } from '../app/useAppSelector.ts'
import { agent } from './agent.ts'
import type { ChatEntry } from './chatEntry.ts'
import { Composer } from './Composer.tsx'
import { Conversation } from './Conversation.tsx'
import { OlderNote } from './OlderNote.tsx'
import { Outgoing } from './Outgoing.tsx'
import { selectIsAtWork } from './selectIsAtWork.ts'
import { SendFailureNote } from './SendFailureNote.tsx'
import { Suggestions } from './Suggestions.tsx'
import { useFollowBottom } from './useFollowBottom.ts'
import { useSending } from './useSending.ts'
import { useConversationRuns } from '../conversations/useConversationRuns.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'

const { selectIsConversationStarted } = workspaceSlice.selectors

interface ChatProps {
  readonly conversationId: string
  /** Whether something else stands in its place; it goes on meanwhile. */
  readonly isHidden: boolean
  readonly entered: ChatEntry | undefined
  readonly text: string
  readonly onTextChange: Dispatch<SetStateAction<string>>
  readonly onNewConversation: () => void
}

/** One conversation: what was said and done, and the field for what comes next. */
export function Chat(props: ChatProps) {
  const { conversationId, isHidden, entered, text, onTextChange, onNewConversation } = props
  const isStarted = useAppSelector(selectIsConversationStarted)
  const conversation = useConversationRuns(conversationId, { isStarted })
  const { runs, messages: history, isLoading, failed, older } = conversation
  const { sessionId, messages, onRequest, onReload, abort } = agent.useXChat<RunServerInput>({
    provider: 'run-server',
    conversationKey: conversationId,
    history,
  })
  const isBusy = useAppSelector((state) => selectIsAtWork(state, sessionId))
  const chatMessages = useRef(messages)
  useEffect(() => {
    chatMessages.current = messages
  })
  const isEmpty = runs.length === 0 && !isLoading && !failed
  const { scrollerRef, contentRef, isBehind, follow } = useFollowBottom()
  const fieldRef = useRef<HTMLTextAreaElement>(null)

  // What was pressed goes, or can do no more, with the conversation that it was for: this one takes the focus. What was
  // opened is there to be read; in a new one there is nothing to do but to write.
  useEffect(() => {
    if (!entered) return
    const taker = entered.by === 'start' ? fieldRef.current : scrollerRef.current
    taker?.focus({ preventScroll: true })
  }, [entered, scrollerRef])

  const showLatest = () => {
    follow()
    // The button goes with what it was for.
    scrollerRef.current?.focus({ preventScroll: true })
  }

  // A message that went nowhere comes back, unless the person has written another one meanwhile.
  const onUnsent = useCallback(
    (unsent: string) => onTextChange((current) => (current.trim() === '' ? unsent : current)),
    [onTextChange],
  )
  const { outgoing, failure, send, sendAgain } = useSending({ onRequest, onReload, onUnsent })

  const submit = useCallback(
    (message: string, options?: { supersede: boolean }) => {
      if (message.trim() === '') return
      onTextChange('')
      follow()
      void send(message.trim(), options)
    },
    [follow, onTextChange, send],
  )

  // A run never goes on once it has ended: what was asked is asked anew.
  const regenerate = useCallback(
    (runId: string) => {
      const asked = chatMessages.current.find(({ message }) => message.runId === runId && message.role === 'user')
      if (!asked) return
      follow()
      void sendAgain({ id: asked.id, content: asked.message.content })
    },
    [follow, sendAgain],
  )

  return (
    <div className="chat" hidden={isHidden}>
      <div className="chat-view">
        {/* It must take the focus, or it could not be scrolled by keyboard. */}
        <div className="chat-scroll" ref={scrollerRef} role="region" aria-label="Conversation" tabIndex={0}>
          <div className="chat-content" ref={contentRef}>
            {isEmpty && outgoing === undefined && <Suggestions canSend={!isBusy} onSend={submit} />}
            {isLoading && (
              <div className="message" role="status">
                <p>Loading the conversation…</p>
              </div>
            )}
            {failed && outgoing === undefined && (
              <div className="message" role="alert">
                <p>The conversation could not be loaded.</p>
                <PassingButton className="button" onClick={() => void failed()}>
                  Try again
                </PassingButton>
              </div>
            )}
            <Conversation
              sessionId={sessionId}
              runs={runs}
              scrollerRef={scrollerRef}
              canRegenerate={!isBusy}
              onRegenerate={regenerate}
              onNearStart={older.load}
            />
            {outgoing !== undefined && <Outgoing text={outgoing.text} runId={outgoing.runId} />}
          </div>
        </div>
        <OlderNote isLoading={older.isLoading} onRetry={older.retry} />
        {isBehind && (
          <button type="button" className="button chat-latest" onClick={showLatest}>
            Jump to the latest
          </button>
        )}
      </div>
      {failure && (
        <SendFailureNote
          failure={failure}
          canSend={!isBusy && text.trim() !== ''}
          onSupersede={() => {
            submit(text, { supersede: true })
            // The button goes with what it was for.
            fieldRef.current?.focus()
          }}
          onNewConversation={onNewConversation}
        />
      )}
      <Composer
        sessionId={sessionId}
        fieldRef={fieldRef}
        text={text}
        isBusy={isBusy}
        onTextChange={onTextChange}
        onSend={submit}
        onStop={abort}
      />
    </div>
  )
}
