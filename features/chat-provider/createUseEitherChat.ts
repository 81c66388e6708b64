import { useState } from 'react'
import type { UseAgentChat, UseXChat, XChatOptions } from '../chat/xChat.ts'
import { XChatError } from '../chat/xChatError.ts'
import type { ChatProviderOptions } from './chatProviderOptions.ts'
import type { createUseChatProvider } from './createUseChatProvider.ts'
import { isChatProvider } from './isChatProvider.ts'

type AnyOptions = XChatOptions<unknown, unknown> | ChatProviderOptions<unknown, unknown, unknown, unknown>

/** Joins the two kinds of chat under one name: which it is, is told by the provider, for as long as a component lives. */
export function createUseEitherChat(
  useAgentChat: UseAgentChat,
  useChatProvider: ReturnType<typeof createUseChatProvider>,
): UseXChat {
  function useXChat(options: AnyOptions): unknown {
    const isOrdinary = isChatProvider(options.provider)
    const [wasOrdinary] = useState(isOrdinary)
    if (isOrdinary !== wasOrdinary) {
      const message =
        'The provider of useXChat changed between an agent provider and a chat provider, whose chats have nothing in ' +
        'common. Give the component another key where its provider changes in kind.'
      throw new XChatError('provider_kind_changed', message)
    }
    // The same one at each render, as the kind is held above.
    // oxlint-disable-next-line react/rules-of-hooks
    if (isOrdinary) return useChatProvider(options as ChatProviderOptions<unknown, unknown, unknown, unknown>)
    // oxlint-disable-next-line react/rules-of-hooks
    return useAgentChat(options as XChatOptions<unknown, unknown>)
  }
  return useXChat as UseXChat
}
