import type { AgentReconnectOptions } from '../../store/connection/agentReconnectOptions.ts'
import type { AgentRunTask } from '../../store/runtime/createThunks.ts'
import { applyMessageEdits } from './applyMessageEdits.ts'
import type { MessageEditor } from './createMessageEditor.ts'
import { arrangeMessages } from './arrangeMessages.ts'
import { dropMessage } from './dropMessage.ts'
import { patchMessage } from './patchMessage.ts'
import type { ChatMessageInfo } from './messageEdits.ts'
import type { ProviderOf, XChat } from './xChat.ts'
import { XChatError } from './xChatError.ts'

/** What a chat's functions work on, read anew at each call. */
export interface ChatTarget<Input> {
  readonly sessionId: string
  readonly provider: ProviderOf<Input> | string
  /** The default messages and the state's, without edits, as the store has them now. */
  readMessages(): readonly ChatMessageInfo[]
  /** The input of a run, where it is known. */
  readInput(runId: string): unknown
  readonly reconnect: false | AgentReconnectOptions | undefined
  start(options: {
    sessionId: string
    provider: ProviderOf<Input> | string
    input: unknown
    reconnect: false | AgentReconnectOptions | undefined
  }): AgentRunTask
  /** Takes the session's latest run up again. */
  resume(): AgentRunTask
  abort(options: { sessionId: string }): void
}

type XChatActions<Input> = Pick<
  XChat<Input, unknown>,
  'onRequest' | 'onReload' | 'resume' | 'abort' | 'setMessages' | 'setMessage' | 'removeMessage'
>

/** Makes a chat's functions once; they read the latest of everything when they are called. */
export function createXChatActions<Input>(options: {
  target: () => ChatTarget<Input>
  editor: MessageEditor
}): XChatActions<Input> {
  const { target, editor } = options

  const shown = () => applyMessageEdits(target().readMessages(), editor.get(target().sessionId))
  const find = (messageId: string) => shown().find((info) => info.id === messageId)

  function request(input: unknown): AgentRunTask {
    const { sessionId, provider, reconnect, start } = target()
    return start({ sessionId, provider, input, reconnect })
  }

  return {
    onRequest: request,
    onReload(messageId, input) {
      const runId = target().readMessages().find((info) => info.id === messageId)?.message.runId
      if (runId === undefined) {
        const message = `No run of this session made message "${messageId}". Give the id of one in "messages".`
        throw new XChatError('unknown_message', message)
      }
      const known = input ?? target().readInput(runId)
      if (known === undefined) {
        const message = `The input of run "${runId}" is not known here. Give onReload the input as its second argument.`
        throw new XChatError('unknown_input', message)
      }
      return request(known)
    },
    resume: () => target().resume(),
    abort: () => target().abort({ sessionId: target().sessionId }),
    setMessages(next) {
      const arranged = typeof next === 'function' ? next(shown()) : next
      editor.set(target().sessionId, arrangeMessages(target().readMessages(), arranged))
    },
    setMessage(messageId, change) {
      const info = find(messageId)
      if (!info) return false
      const { sessionId } = target()
      const made = typeof change === 'function' ? change(info) : change
      editor.set(sessionId, patchMessage(editor.get(sessionId), messageId, made))
      return true
    },
    removeMessage(messageId) {
      if (!find(messageId)) return false
      const { sessionId } = target()
      editor.set(sessionId, dropMessage(editor.get(sessionId), messageId))
      return true
    },
  }
}
