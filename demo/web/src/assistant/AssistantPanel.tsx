import 'redux-agent/styles.css'
import './AssistantPanel.css'
import { useRef, useState } from 'react'
import { ConnectionBadge } from 'redux-agent/react'
import { Icon } from '../app/Icon.tsx'
import { onEscape } from '../app/onEscape.ts'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { agent } from './agent.ts'
import { ConversationList } from '../conversations/ConversationList.tsx'
import { Chat } from './Chat.tsx'
import type { ChatEntry } from './chatEntry.ts'
import { selectIsAtWork } from './selectIsAtWork.ts'
import { selectRunIds } from './selectRunIds.ts'

const { conversationStarted } = workspaceSlice.actions
const { selectAssistantEntries, selectConversationId, selectIsConversationStarted } = workspaceSlice.selectors

export function AssistantPanel() {
  const dispatch = useAppDispatch()
  const conversationId = useAppSelector(selectConversationId)
  const isAtWork = useAppSelector((state) => selectIsAtWork(state, conversationId))
  const isStarted = useAppSelector(selectIsConversationStarted)
  const hasRun = useAppSelector((state) => selectRunIds(state, conversationId).length > 0)
  const isEmpty = !isStarted && !hasRun
  const [isListShown, setListShown] = useState(false)
  const listButtonRef = useRef<HTMLButtonElement>(null)
  const [entered, setEntered] = useState<ChatEntry>()
  const [text, setText] = useState('')
  const entries = useAppSelector(selectAssistantEntries)
  const [seenEntries, setSeenEntries] = useState(entries)
  if (seenEntries !== entries) {
    setSeenEntries(entries)
    setListShown(false)
    setEntered({ by: 'start' })
  }
  const startConversation = () => {
    // One that is empty is a new one.
    if (!isEmpty) dispatch(conversationStarted())
    setListShown(false)
    setEntered({ by: 'start' })
  }
  const showOpened = () => {
    setListShown(false)
    setEntered({ by: 'opening' })
  }

  const dismissList = () => {
    setListShown(false)
    listButtonRef.current?.focus()
  }

  return (
    <div
      className="assistant-panel"
      onKeyDown={(event) => {
        if (isListShown) onEscape(event, dismissList)
      }}
    >
      <div className="panel-head">
        <h2>Assistant</h2>
        <div className="assistant-panel-tools">
          <ConnectionBadge agent={agent} sessionId={conversationId} />
          <button
            type="button"
            className="icon-button"
            title="Conversations"
            ref={listButtonRef}
            aria-expanded={isListShown}
            onClick={() => setListShown(!isListShown)}
          >
            <Icon name="list" />
            <span className="visually-hidden">Conversations</span>
          </button>
          <button
            type="button"
            className="icon-button"
            title={isAtWork ? 'Stop or cancel the run first, or wait for its end' : 'New conversation'}
            // Not `disabled`: nobody would learn why.
            aria-disabled={isAtWork}
            onClick={() => {
              if (!isAtWork) startConversation()
            }}
          >
            <Icon name="plus" />
            <span className="visually-hidden">New conversation</span>
          </button>
        </div>
      </div>
      {isListShown && <ConversationList onOpened={showOpened} />}
      <Chat
        key={conversationId}
        isHidden={isListShown}
        entered={entered}
        conversationId={conversationId}
        text={text}
        onTextChange={setText}
        onNewConversation={startConversation}
      />
    </div>
  )
}
