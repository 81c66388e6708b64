import type { ChatProviderMessage } from './chatProvider.ts'

/** What a provider may send: all that is not merely a placeholder. */
export function listRequestMessages<Message>(messages: readonly ChatProviderMessage<Message>[]): Message[] {
  return messages.filter(({ status }) => status !== 'loading').map(({ message }) => message)
}
