import { isThenable } from '../../src/provider/isThenable.ts'
import type { ConversationKey } from '../chat/createUseSessionId.ts'
import type { ChatProviderMessage } from './chatProvider.ts'
import type { ChatProviderOptions, DefaultChatMessage } from './chatProviderOptions.ts'

type Loaded<Message> = readonly ChatProviderMessage<Message>[]

/**
 * Gives a conversation's first messages, with ids and status of their own where they have none. What cannot be had is
 * none, and said on the console, as x-sdk does: a chat that has lost its history can still be used.
 */
export function loadDefaultMessages<Message>(
  given: ChatProviderOptions<Message, unknown, never, never>['defaultMessages'],
  conversationKey: ConversationKey | undefined,
): Loaded<Message> | Promise<Loaded<Message>> {
  const toInfos = (list: unknown): Loaded<Message> =>
    ((list ?? []) as DefaultChatMessage<Message>[]).map((info, index) => ({
      ...{ id: `default_${index}`, status: 'local' as const },
      ...info,
    }))
  const warn = (error: unknown): Loaded<Message> => {
    console.warn('The default messages of useXChat could not be loaded; the chat begins without them.', error)
    return []
  }
  try {
    const loaded: unknown = typeof given === 'function' ? given({ conversationKey }) : given
    return isThenable(loaded) ? Promise.resolve(loaded).then(toInfos).catch(warn) : toInfos(loaded)
  } catch (error) {
    return warn(error)
  }
}
