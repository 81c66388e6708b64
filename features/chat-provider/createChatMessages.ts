import type { ChatProviderMessage } from './chatProvider.ts'

/** The messages of one conversation, outside of React, and whether its first ones are still being loaded. */
export interface ChatMessages<Message> {
  get(): readonly ChatProviderMessage<Message>[]
  isLoading(): boolean
  update(change: (messages: readonly ChatProviderMessage<Message>[]) => readonly ChatProviderMessage<Message>[]): void
  /** Loads the first messages once; a load that fails leaves the conversation empty. */
  load(load: () => readonly ChatProviderMessage<Message>[] | Promise<readonly ChatProviderMessage<Message>[]>): void
  nextId(): string
  subscribe(listener: () => void): () => void
  /** A number that changes with what is shown, so that React can tell. */
  getVersion(): number
}

/** Listeners hear of a stream this often at most, in milliseconds: each chunk would be a render of its own. */
const interval = 50

export function createChatMessages<Message>(): ChatMessages<Message> {
  const listeners = new Set<() => void>()
  let messages: readonly ChatProviderMessage<Message>[] = []
  let loading = false
  let isLoaded = false
  let made = 0
  let version = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isPending = false

  function tell(): void {
    version += 1
    for (const listener of listeners) listener()
  }

  /** Tells at once, then no sooner than the interval allows. */
  function tellSoon(): void {
    if (timer !== undefined) {
      isPending = true
      return
    }
    tell()
    timer = setTimeout(() => {
      timer = undefined
      if (!isPending) return
      isPending = false
      tellSoon()
    }, interval)
  }

  return {
    get: () => messages,
    isLoading: () => loading,
    update(change) {
      messages = change(messages)
      tellSoon()
    },
    load(load) {
      if (isLoaded) return
      isLoaded = true
      const loaded = load()
      if (!('then' in loaded)) {
        messages = [...loaded, ...messages]
        return
      }
      loading = true
      function settle(first: readonly ChatProviderMessage<Message>[]): void {
        messages = [...first, ...messages]
        loading = false
        tell()
      }
      loaded.then(settle, () => settle([]))
    },
    nextId() {
      let id = ''
      // An app may give back the messages that it kept of an earlier page, which have such ids, too.
      do id = `msg_${made++}`
      while (messages.some((info) => info.id === id))
      return id
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    getVersion: () => version,
  }
}
