import { useCallback, useState } from 'react'
import { useStore } from 'react-redux'
import { AgentModuleError } from 'redux-agent'
import type { RunServerInput } from 'redux-agent/adapters/run-server'
import type { XChat } from 'redux-agent/react'
import type { RootState } from '../app/store.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { documentsApi } from '../documents/documentsApi.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { agent } from './agent.ts'
import { describeSendFailure, type SendFailure } from './describeSendFailure.ts'

const { selectSelectedDocumentId } = workspaceSlice.selectors

type Chat = XChat<RunServerInput, unknown>

interface SendingOptions extends Pick<Chat, 'onRequest' | 'onReload'> {
  /** Gets back the text of a message that started nothing. */
  readonly onUnsent: (text: string) => void
}

/** A message that the server has not stated yet; with `failure`, it never will. */
interface Outgoing {
  /** Empty where not even a request was made. */
  readonly runId: string
  readonly text: string
  readonly failure?: SendFailure
}

/**
 * Sends what the person writes. The server alone states what was said, so that until its first word the message is
 * only outgoing; where that word never comes, `failure` says why.
 */
export function useSending({ onRequest, onReload, onUnsent }: SendingOptions) {
  const store = useStore<RootState>()
  const [outgoing, setOutgoing] = useState<Outgoing>()
  const runId = outgoing?.runId ?? ''
  const isStated = useAppSelector((state) => agent.selectors.selectRun(state, { runId }) !== undefined)

  const start = useCallback(
    async (text: string, request: () => ReturnType<Chat['onRequest']>) => {
      const giveBack = (id: string, error: Parameters<typeof describeSendFailure>[0]) => {
        setOutgoing({ runId: id, text, failure: describeSendFailure(error) })
        onUnsent(text)
      }
      let task: ReturnType<Chat['onRequest']>
      try {
        task = request()
      } catch (error) {
        // Refused before there was a request, such as of a message that is no longer known.
        return giveBack('', toError(error))
      }
      setOutgoing({ runId: task.runId, text })
      const result = await task
      const state = store.getState()
      if (agent.selectors.selectRun(state, { runId: task.runId })) {
        // It is stated, also once the page lets go of the run.
        setOutgoing((current) => (current?.runId === task.runId ? undefined : current))
        return
      }
      const lost = agent.selectors.selectRunConnection(state, task.runId)?.error
      giveBack(task.runId, lost ?? ('error' in result ? toError(result.error) : undefined))
    },
    [onUnsent, store],
  )

  const send = useCallback(
    (text: string, { supersede }: { supersede?: boolean } = {}) => {
      const currentDocument = selectOpenDocument(store.getState())
      return start(text, () => onRequest({ message: text, supersede, currentDocument }))
    },
    [onRequest, start, store],
  )

  /** Sends a message of the conversation once more. */
  const sendAgain = useCallback(
    ({ id, content }: { readonly id: string; readonly content: RunServerInput['message'] }) => {
      // What it was sent with is not known any more after a reload: what it says is, and what is open now.
      const input = { message: content, currentDocument: selectOpenDocument(store.getState()) }
      return start(typeof content === 'string' ? content : '', () => onReload(id, input))
    },
    [onReload, start, store],
  )

  return {
    outgoing: outgoing && !isStated && !outgoing.failure ? outgoing : undefined,
    failure: isStated ? undefined : outgoing?.failure,
    send,
    sendAgain,
  }
}

function toError(error: unknown): { code: string; message: string } {
  if (AgentModuleError.isInstance(error)) return { code: error.code, message: error.message }
  console.error(error)
  return { code: 'unknown', message: 'This page met an error of its own; its console says more.' }
}

/** The document that stands open: what "this document" means in a message. */
function selectOpenDocument(state: RootState): RunServerInput['currentDocument'] {
  const id = selectSelectedDocumentId(state)
  return id === null ? undefined : { id, title: documentsApi.endpoints.getDocument.select(id)(state).data?.title }
}
