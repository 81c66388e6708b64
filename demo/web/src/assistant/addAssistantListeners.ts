import type { StartAppListening } from '../app/startAppListening.ts'
import { documentsApi } from '../documents/documentsApi.ts'
import { documentTag } from '../documents/documentTag.ts'
import { agent } from './agent.ts'
import { readDocumentChange } from './readDocumentChange.ts'

/** Fetches anew what the agent has changed. Only live events come this way, so that a replay fetches nothing. */
export function addAssistantListeners(startListening: StartAppListening) {
  startListening({
    actionCreator: agent.events.eventsReceived,
    effect: ({ payload }, { dispatch, getState }) => {
      for (const event of payload.events) {
        if (event.type !== 'tool.completed') continue
        const { toolCallId } = event.payload
        const toolCall = agent.selectors.selectToolCall(getState(), { runId: event.runId, toolCallId })
        const change = toolCall && readDocumentChange(toolCall)
        if (change) dispatch(documentsApi.util.invalidateTags([documentTag(change.documentId), 'DocumentList']))
      }
    },
  })
}
