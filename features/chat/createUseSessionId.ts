import { useId, useState, useSyncExternalStore } from 'react'
import { useStore } from 'react-redux'
import { createUuid } from '../../src/protocol/createUuid.ts'
import { assertConversationKey } from './assertConversationKey.ts'

/** Names a conversation: `String(key)` names its session, a symbol has one of its own, as has the absence of a key. */
export type ConversationKey = string | number | symbol

const subscribeToNothing = () => () => undefined

/** Makes the hook that gives a component its session's id. */
export function createUseSessionId(): (conversationKey: ConversationKey | undefined) => string {
  const idsByStore = new WeakMap<object, Map<symbol, string>>()

  // Two symbols may read the same, so that each gets an id, which it keeps within its store.
  function idOfSymbol(store: object, key: symbol): string {
    const ids = idsByStore.get(store) ?? new Map<symbol, string>()
    idsByStore.set(store, ids)
    const id = ids.get(key) ?? createUuid()
    ids.set(key, id)
    return id
  }

  return function useSessionId(conversationKey) {
    const store = useStore()
    assertConversationKey(conversationKey)
    const [ownId] = useState(createUuid)
    const placeholder = useId()
    // What hydration renders must be what the server rendered, and two random ids are not: the id follows at once.
    const isHydrated = useSyncExternalStore(
      subscribeToNothing,
      () => true,
      () => false,
    )
    if (typeof conversationKey === 'string' || typeof conversationKey === 'number') return String(conversationKey)
    if (!isHydrated) return placeholder
    return conversationKey === undefined ? ownId : idOfSymbol(store, conversationKey)
  }
}
