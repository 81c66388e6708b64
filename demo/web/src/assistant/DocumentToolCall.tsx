import type { AgentToolCallState } from 'redux-agent'
import { ToolCall } from 'redux-agent/react'
import { Icon } from '../app/Icon.tsx'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { documentName } from '../documents/documentName.ts'
import { documentHash } from '../workspace/documentHash.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { agent } from './agent.ts'
import { readDocumentChange } from './readDocumentChange.ts'

const { documentSelected } = workspaceSlice.actions

/** A tool call, and the way to the document that it changed. */
export function DocumentToolCall({ toolCall }: { readonly toolCall: AgentToolCallState }) {
  const dispatch = useAppDispatch()
  const change = readDocumentChange(toolCall)
  return (
    <>
      <ToolCall agent={agent} runId={toolCall.runId} toolCallId={toolCall.id} />
      {change && (
        <a
          className="assistant-document-link"
          href={documentHash.format(change.documentId)}
          // A narrow window has to leave the conversation also where the document is the open one.
          onClick={(event) => {
            if (!event.metaKey && !event.ctrlKey && !event.shiftKey) dispatch(documentSelected(change.documentId))
          }}
        >
          <Icon name="document" />
          Open “{documentName(change.title)}”
        </a>
      )}
    </>
  )
}
