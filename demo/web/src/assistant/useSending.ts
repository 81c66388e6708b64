import { useCallback, useState } from 'react'
import { useStore } from 'react-redux'
import type { RunServerInput } from 'redux-agent/adapters/run-server'
import type { XChat } from 'redux-agent/react'
import type { RootState } from '../app/store.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { documentsApi } from '../documents/documentsApi.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { agent } from './agent.ts'
import { describeSendFailure } from './describeSendFailure.ts'

const { selectSelectedDocumentId } = workspaceSlice.selectors

interface SendingOptions {
  readonly onRequest: XChat<RunServerInput, unknown>['onRequest']
  /** Gets back the text of a message that started nothing. */
  readonly onUnsent: (text: string) => void
}

/**
 * Sends what the person writes. The server alone states what was said, so that until its first word the message is
 * only outgoing; where that word never comes, `failure` says why.
 */
export function useSending({ onRequest, onUnsent }: SendingOptions) {
  const store = useStore<RootState>()
  const [outgoing, setOutgoing] = useState<{ runId: string; text: string; isOver: boolean }>()
  const runId = outgoing?.runId ?? ''
  const isStated = useAppSelector((state) => agent.selectors.selectRun(state, { runId }) !== undefined)
  const error = useAppSelector((state) => agent.selectors.selectRunConnection(state, runId)?.error)

  const send = useCallback(
    async (text: string, { supersede }: { supersede?: boolean } = {}) => {
      const task = onRequest({ message: text, supersede, currentDocument: selectOpenDocument(store.getState()) })
      setOutgoing({ runId: task.runId, text, isOver: false })
      await task
      if (agent.selectors.selectRun(store.getState(), { runId: task.runId })) return
      setOutgoing({ runId: task.runId, text, isOver: true })
      onUnsent(text)
    },
    [onRequest, onUnsent, store],
  )

  return {
    outgoingText: outgoing && !isStated && !outgoing.isOver ? outgoing.text : undefined,
    failure: outgoing?.isOver && !isStated ? describeSendFailure(error) : undefined,
    send,
  }
}

/** The document that stands open: what "this document" means in a message. */
function selectOpenDocument(state: RootState): RunServerInput['currentDocument'] {
  const id = selectSelectedDocumentId(state)
  return id === null ? undefined : { id, title: documentsApi.endpoints.getDocument.select(id)(state).data?.title }
}
