import { useEffect, useInsertionEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useStore } from 'react-redux'
import { assertConversationKey } from '../chat/assertConversationKey.ts'
import type { ConversationKey } from '../chat/createUseSessionId.ts'
import type { ChatProviderChat, ChatProviderOptions } from './chatProviderOptions.ts'
import { createChatActions } from './createChatActions.ts'
import type { ChatRequestTarget } from './createChatRequests.ts'
import { createConversation, type Conversation } from './createConversation.ts'
import { listRequestMessages } from './listRequestMessages.ts'
import { loadDefaultMessages } from './loadDefaultMessages.ts'
import { parseChatMessages } from './parseChatMessages.ts'

/** Makes the hook of ordinary chat providers; conversations with a key outlive the component, within their store. */
export function createUseChatProvider() {
  const conversationsByStore = new WeakMap<object, Map<ConversationKey, Conversation<never, never>>>()

  function conversationsOf(store: object): Map<ConversationKey, Conversation<never, never>> {
    const conversations = conversationsByStore.get(store) ?? new Map<ConversationKey, Conversation<never, never>>()
    conversationsByStore.set(store, conversations)
    return conversations
  }

  /** Gives the conversation of a key, or one of the component's own. */
  function useConversation<Message, Input>(key: ConversationKey | undefined): Conversation<Message, Input> {
    const store = useStore()
    const [own] = useState(() => createConversation<Message, Input>(undefined))
    if (key === undefined) return own
    const conversations = conversationsOf(store) as Map<ConversationKey, unknown> as Map<
      ConversationKey,
      Conversation<Message, Input>
    >
    const known = conversations.get(key) ?? createConversation<Message, Input>(key)
    conversations.set(key, known)
    return known
  }

  return function useChatProvider<Message, Parsed, Input, Output>(
    options: ChatProviderOptions<Message, Parsed, Input, Output>,
  ): ChatProviderChat<Message, Parsed, Input> {
    const { provider, conversationKey, defaultMessages, parser } = options
    assertConversationKey(conversationKey)
    const conversation = useConversation<Message, Input>(conversationKey)
    const { messages, requests } = conversation
    conversation.target ??= options as ChatRequestTarget<Message, Input, never>
    messages.load(() => loadDefaultMessages(defaultMessages, conversationKey))
    useSyncExternalStore(messages.subscribe, messages.getVersion, messages.getVersion)
    const [queue] = useState(() => new Map<ConversationKey, (() => void)[]>())

    const latest = useRef({ conversation, provider })
    useInsertionEffect(() => {
      latest.current = { conversation, provider }
      conversation.target = options as ChatRequestTarget<Message, Input, never>
    })
    useEffect(() => {
      provider.injectGetMessages(() => listRequestMessages(messages.get()))
    }, [provider, messages])

    const isLoading = messages.isLoading()
    useEffect(() => {
      if (isLoading || conversationKey === undefined) return
      const waiting = queue.get(conversationKey) ?? []
      queue.delete(conversationKey)
      for (const send of waiting) send()
    }, [queue, isLoading, conversationKey])

    const [actions] = useState(() => createChatActions<Message, Input>(() => latest.current, queue))
    const shown = messages.get()
    const parsedMessages = useMemo(() => parseChatMessages(shown, parser), [shown, parser])

    return {
      ...actions,
      messages: shown,
      parsedMessages,
      agentState: undefined,
      isRequesting: requests.isRequesting(),
      isDefaultMessagesRequesting: isLoading,
    }
  }
}
