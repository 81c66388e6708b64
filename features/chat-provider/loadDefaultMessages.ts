import type { ConversationKey } from '../chat/createUseSessionId.ts'
import type { ChatProviderMessage } from './chatProvider.ts'
import type { ChatProviderOptions } from './chatProviderOptions.ts'

/** Gives a conversation's first messages, with ids and status of their own where they have none. */
export function loadDefaultMessages<Message>(
  given: ChatProviderOptions<Message, unknown, never, never>['defaultMessages'],
  conversationKey: ConversationKey | undefined,
): readonly ChatProviderMessage<Message>[] | Promise<readonly ChatProviderMessage<Message>[]> {
  const toInfos = (list: readonly Pick<ChatProviderMessage<Message>, 'message'>[] = []) =>
    list.map((info, index) => ({ id: `default_${index}`, status: 'local' as const, ...info }))
  if (typeof given !== 'function') return toInfos(given)
  const loaded = given({ conversationKey })
  return 'then' in loaded ? loaded.then(toInfos) : toInfos(loaded)
}
