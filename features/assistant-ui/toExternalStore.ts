import type { AppendMessage, ExternalStoreAdapter, ThreadMessageLike } from '@assistant-ui/react'
import { AgentModuleError } from '../../src/agentModuleError.ts'
import { getAgentEntityKey } from '../../src/protocol/getAgentEntityKey.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import { getAnswerDecision } from '../approval/getAnswerDecision.ts'
import type { XChat } from '../chat/xChat.ts'
import { questionId } from './questionId.ts'
import { toThreadMessages, type ThreadEntry } from './toThreadMessages.ts'

/** What of `useXChat` assistant-ui is given. */
export type ExternalChat<Input> = Pick<
  XChat<Input, unknown>,
  'sessionId' | 'agentState' | 'agentActions' | 'isRequesting' | 'onRequest' | 'resume' | 'abort'
>

/** How assistant-ui's messages become a provider's input. */
export interface ExternalStoreOptions<Input> {
  /** Makes the input of a run; `text` is all of the message's text. */
  toInput(message: { text: string; message: AppendMessage }): Input
}

/** What is known of a session's messages; weak by the functions of the chat, which are the same at each render. */
const entriesByChat = new WeakMap<object, { sessionId: string; entries: ReadonlyMap<string, ThreadEntry> }>()

/**
 * Makes what assistant-ui's `useExternalStoreRuntime` takes of a chat, so that its components show this state: a run is
 * one message, with its reasoning, tool calls, approvals, tasks (`data-task`) and artifacts (`data-artifact`) as parts.
 * Approvals are answered, and runs cancelled, as commands; where the provider knows no cancel, the wire is closed.
 *
 * @experimental
 * @example
 * const chat = agent.useXChat({ provider: supportAgent, conversationKey })
 * const runtime = useExternalStoreRuntime(toExternalStore(chat, { toInput: ({ text }) => ({ message: text }) }))
 */
export function toExternalStore<Input>(
  chat: ExternalChat<Input>,
  options: ExternalStoreOptions<Input>,
): ExternalStoreAdapter<ThreadMessageLike> {
  const { agentState: state, isRequesting, agentActions } = chat
  const known = entriesByChat.get(chat.onRequest)
  const former = known?.sessionId === chat.sessionId ? known.entries : new Map<string, ThreadEntry>()
  const entries = toThreadMessages(state, { former, isRequesting })
  entriesByChat.set(chat.onRequest, { sessionId: chat.sessionId, entries })
  const running = Object.values(state.runs).findLast(({ status }) => status === 'running')
  return {
    messages: [...entries.values()].map(({ message }) => message),
    convertMessage: (message) => message,
    isRunning: isRequesting,
    ...(running && { activeRunId: running.id }),
    async onNew(message) {
      await chat.onRequest(options.toInput({ text: getText(message), message }))
    },
    async onCancel() {
      if (running) await cancel(chat, running.id)
    },
    async onResume() {
      await chat.resume().unwrap()
    },
    async onRespondToToolApproval({ approvalId: key, approved, text, answers }) {
      const { id: approvalId, runId, editable } = findByKey(state, 'approvals', key)
      const { text: words, optionIds } = answers?.[questionId] ?? {}
      const said = words ?? optionIds?.[0]
      if (said !== undefined) {
        const decision = getAnswerDecision(editable)
        await agentActions.resolveApproval({ runId, approvalId, decision, data: { answer: said } })
        return
      }
      // Words that come with a consent are the answer to a question.
      const answer = approved && text !== undefined ? { data: text } : undefined
      const decision = answer ? 'modified' : approved ? 'approved' : 'rejected'
      await agentActions.resolveApproval({ runId, approvalId, decision, ...answer })
    },
    async onAddToolResult({ toolCallId: key, result }) {
      const { runId, id: toolCallId } = findByKey(state, 'toolCalls', key)
      const waiting = Object.values(state.approvals).findLast(
        (approval) => approval.runId === runId && approval.toolCallId === toolCallId && approval.status === 'waiting',
      )
      if (!waiting) throw unknown(`Tool call "${toolCallId}" waits for no answer.`)
      await agentActions.resolveApproval({ runId, approvalId: waiting.id, decision: 'modified', data: result })
    },
  }
}

async function cancel<Input>({ agentActions, abort }: ExternalChat<Input>, runId: string): Promise<void> {
  try {
    await agentActions.cancelRun({ runId })
  } catch (error) {
    if (!AgentModuleError.isInstance(error) || error.code !== 'unsupported_capability') throw error
    abort()
  }
}

interface FoundEntity {
  readonly id: string
  readonly runId: string
  /** Of an approval alone. */
  readonly editable?: boolean | undefined
}

function findByKey<Kind extends 'approvals' | 'toolCalls'>(
  state: AgentState,
  kind: Kind,
  key: string,
): FoundEntity {
  const found = Object.values<FoundEntity>(state[kind]).find(
    ({ id, runId }) => getAgentEntityKey(runId, id) === key,
  )
  if (!found) throw unknown('It is not, or no longer, in the session that is shown.')
  return found
}

function unknown(message: string): AgentModuleError<'unknown_entity'> {
  return new AgentModuleError({ name: 'ExternalStoreError', code: 'unknown_entity', message })
}

function getText({ content }: AppendMessage): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
