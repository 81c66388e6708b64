import 'redux-agent/styles.css'
import './AssistantPanel.css'
import { useState } from 'react'
import { ConnectionBadge } from 'redux-agent/react'
import { Icon } from '../app/Icon.tsx'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { agent } from './agent.ts'
import { Chat } from './Chat.tsx'
import { selectIsAtWork } from './selectIsAtWork.ts'
import { selectRunIds } from './selectRunIds.ts'

const { conversationStarted } = workspaceSlice.actions
const { selectConversationId } = workspaceSlice.selectors

export function AssistantPanel() {
  const dispatch = useAppDispatch()
  const conversationId = useAppSelector(selectConversationId)
  const isAtWork = useAppSelector((state) => selectIsAtWork(state, conversationId))
  const isEmpty = useAppSelector((state) => selectRunIds(state, conversationId).length === 0)
  const [text, setText] = useState('')
  const startConversation = () => dispatch(conversationStarted())

  return (
    <div className="assistant-panel">
      <div className="panel-head">
        <h2>Assistant</h2>
        <div className="assistant-panel-tools">
          <ConnectionBadge agent={agent} sessionId={conversationId} />
          <button
            type="button"
            className="icon-button"
            title="New conversation"
            disabled={isAtWork || isEmpty}
            onClick={startConversation}
          >
            <Icon name="plus" />
            <span className="visually-hidden">New conversation</span>
          </button>
        </div>
      </div>
      <Chat
        key={conversationId}
        conversationId={conversationId}
        text={text}
        onTextChange={setText}
        onNewConversation={startConversation}
      />
    </div>
  )
}
