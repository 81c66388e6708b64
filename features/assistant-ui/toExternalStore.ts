import type { AppendMessage, ExternalStoreAdapter, ThreadMessageLike } from '@assistant-ui/react'
import { AgentModuleError } from '../../src/agentModuleError.ts'
import { getAgentEntityKey } from '../../src/protocol/getAgentEntityKey.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import type { AgentRunTask } from '../../store/runtime/createThunks.ts'
import { getAnswerDecision } from '../approval/getAnswerDecision.ts'
import type { XChat } from '../chat/xChat.ts'
import { MessageNotSentError } from './messageNotSentError.ts'
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

/** A session's messages as they were last made. */
interface Thread {
  readonly sessionId: string
  readonly entries: ReadonlyMap<string, ThreadEntry>
  readonly messages: readonly ThreadMessageLike[]
}

/** What is known of a session's messages; weak by the functions of the chat, which are the same at each render. */
const threadsByChat = new WeakMap<object, Thread>()

// The same one at each render: for another function all messages would be converted anew, and shown anew.
const convertMessage = (message: ThreadMessageLike) => message

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
  const { messages } = readThread(chat)
  const running = Object.values(state.runs).findLast(({ status }) => status === 'running')
  return {
    messages,
    convertMessage,
    isRunning: isRequesting,
    ...(running && { activeRunId: running.id }),
    onNew: (message) => send(() => chat.onRequest(options.toInput({ text: getText(message), message }))),
    async onCancel() {
      if (running) await cancel(chat, running.id)
      // What has not begun can only be let go of.
      else chat.abort()
    },
    async onResume() {
      await chat.resume().unwrap()
    },
    async onRespondToToolApproval({ approvalId: key, approved, text, answers, reason }) {
      const { id: approvalId, runId, editable } = findByKey(state, 'approvals', key)
      const { text: words, optionIds } = answers?.[questionId] ?? {}
      const said = words ?? optionIds?.[0]
      // Words that come with a consent are the answer to a question; those with a refusal are its reason.
      const data = said === undefined ? (approved ? text : undefined) : { answer: said }
      const why = reason ?? (approved ? undefined : text)
      const agreed = data === undefined ? 'approved' : getAnswerDecision(editable)
      await agentActions.resolveApproval({
        ...{ runId, approvalId, decision: approved || said !== undefined ? agreed : 'rejected' },
        ...(data !== undefined ? { data } : why !== undefined && { data: { reason: why } }),
      })
    },
    async onAddToolResult({ toolCallId: key, result, isError }) {
      const { runId, id: toolCallId } = findByKey(state, 'toolCalls', key)
      const waiting = Object.values(state.approvals).findLast(
        (approval) => approval.runId === runId && approval.toolCallId === toolCallId && approval.status === 'waiting',
      )
      if (!waiting) throw unknown(`Tool call "${toolCallId}" waits for no answer.`)
      const decision = isError ? 'rejected' : getAnswerDecision(waiting.editable)
      await agentActions.resolveApproval({ runId, approvalId: waiting.id, decision, data: result })
    },
  }
}

function readThread<Input>({ onRequest, sessionId, agentState, isRequesting }: ExternalChat<Input>): Thread {
  const known = threadsByChat.get(onRequest)
  const former = known?.sessionId === sessionId ? known : undefined
  const entries = toThreadMessages(agentState, { former: former?.entries ?? new Map(), isRequesting })
  const made = [...entries.values()].map(({ message }) => message)
  const isSame = former?.messages.length === made.length && made.every((message, at) => message === former.messages[at])
  const thread = { sessionId, entries, messages: isSame ? former.messages : made }
  threadsByChat.set(onRequest, thread)
  return thread
}

/** @throws MessageNotSentError where nothing was sent, for which assistant-ui gives the words back to its composer. */
async function send(request: () => AgentRunTask): Promise<void> {
  let task: AgentRunTask
  try {
    task = request()
  } catch (cause) {
    throw new MessageNotSentError(cause)
  }
  const result = await task
  if (task.runId === '' && 'error' in result) throw new MessageNotSentError(result.error)
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
