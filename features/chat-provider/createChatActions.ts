import type { ConversationKey } from '../chat/createUseSessionId.ts'
import { XChatError } from '../chat/xChatError.ts'
import type { ChatProviderMessage } from './chatProvider.ts'
import type { ChatProviderChat } from './chatProviderOptions.ts'
import type { Conversation } from './createConversation.ts'

type ChatActions<Message, Input> = Pick<
  ChatProviderChat<Message, unknown, Input>,
  'onRequest' | 'onReload' | 'queueRequest' | 'abort' | 'setMessages' | 'setMessage' | 'removeMessage'
>

/** Makes a chat's functions once; they read the latest of everything when they are called. */
export function createChatActions<Message, Input>(
  latest: () => { conversation: Conversation<Message, Input>; provider: { request: { abort(): void } } },
  queue: Map<ConversationKey, (() => void)[]>,
): ChatActions<Message, Input> {
  type Info = ChatProviderMessage<Message>
  const messages = () => latest().conversation.messages
  const find = (id: Info['id']) => messages().get().find((info) => info.id === id)
  return {
    onRequest: (params, options) => latest().conversation.requests.send(params, options),
    onReload(id, params, options) {
      if (!find(id)) throw new XChatError('unknown_message', `message [${id}] is not found`)
      latest().conversation.requests.send(params, { ...options, replaces: id })
    },
    queueRequest(key, params, options) {
      const send = () => latest().conversation.requests.send(params, options)
      const { conversation } = latest()
      if (conversation.key === key && !conversation.messages.isLoading()) return send()
      queue.set(key, [...(queue.get(key) ?? []), send])
    },
    abort: () => latest().provider.request.abort(),
    setMessages(next) {
      messages().update((all) => (typeof next === 'function' ? next(all) : next))
      return true
    },
    setMessage(id, change) {
      const info = find(id)
      if (!info) return false
      const made = typeof change === 'function' ? change(info) : change
      messages().update((all) => all.map((one) => (one === info ? { ...one, ...made } : one)))
      return true
    },
    removeMessage(id) {
      if (!find(id)) return false
      messages().update((all) => all.filter((info) => info.id !== id))
      return true
    },
  }
}
