import { getReceivedEvents } from 'redux-agent'
import type { StartAppListening } from '../app/startAppListening.ts'
import { documentsApi } from '../documents/documentsApi.ts'
import { documentTag } from '../documents/documentTag.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { agent } from './agent.ts'
import { readDocumentChange } from './readDocumentChange.ts'

const { conversationStarted, conversationOpened } = workspaceSlice.actions

/**
 * Fetches anew what the agent has changed; only live events come this way, so that a replay fetches nothing. Lets go
 * of a conversation that another one takes the place of: it comes back from the storage where it is opened again.
 */
export function addAssistantListeners(startListening: StartAppListening) {
  for (const actionCreator of [conversationStarted, conversationOpened]) {
    startListening({
      actionCreator,
      effect({ payload }, { dispatch, getOriginalState }) {
        const sessionId = workspaceSlice.selectors.selectConversationId(getOriginalState())
        // Where it cannot be saved it stays as it is, and says so itself.
        if (sessionId !== payload) void dispatch(agent.actions.closeSession({ sessionId }))
      },
    })
  }

  startListening({
    actionCreator: agent.events.eventsReceived,
    effect: (action, { dispatch, getState }) => {
      for (const event of getReceivedEvents(action)) {
        if (event.type !== 'tool.completed') continue
        const { toolCallId } = event.payload
        const toolCall = agent.selectors.selectToolCall(getState(), { runId: event.runId, toolCallId })
        const change = toolCall && readDocumentChange(toolCall)
        if (change) dispatch(documentsApi.util.invalidateTags([documentTag(change.documentId), 'DocumentList']))
      }
    },
  })
}
