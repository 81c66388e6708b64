import type { ConversationKey } from '../chat/createUseSessionId.ts'
import { createChatMessages, type ChatMessages } from './createChatMessages.ts'
import { createChatRequests, type ChatRequestTarget, type ChatRequests } from './createChatRequests.ts'

/** One conversation: its messages, and its requests. */
export interface Conversation<Message, Input> {
  readonly key: ConversationKey | undefined
  readonly messages: ChatMessages<Message>
  readonly requests: ChatRequests<Input>
  /** What its requests are made of; set by the component that shows it last. */
  target: ChatRequestTarget<Message, Input, never> | undefined
}

export function createConversation<Message, Input>(key: ConversationKey | undefined): Conversation<Message, Input> {
  const messages = createChatMessages<Message>()
  const conversation: Conversation<Message, Input> = {
    key,
    messages,
    requests: createChatRequests<Message, Input, never>(messages, () => conversation.target!),
    target: undefined,
  }
  return conversation
}
