import { XChatError } from './xChatError.ts'

/** An empty name is that of no session: what is not known yet is `undefined`, which gives a session of its own. */
export function assertConversationKey(conversationKey: unknown): void {
  if (conversationKey !== '') return
  const message =
    'The conversationKey of useXChat is empty, which names no conversation. Give the id of one, or none at all where ' +
    'there is no id yet.'
  throw new XChatError('invalid_conversation_key', message)
}
