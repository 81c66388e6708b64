import { useExternalStoreRuntime, type ThreadMessageLike } from '@assistant-ui/react'
import { toExternalStore } from 'redux-agent/assistant-ui'
import type { XChat } from 'redux-agent/react'
import { expectTypeOf, it } from 'vitest'

declare const chat: XChat<{ message: string }, unknown>

it('gives what useExternalStoreRuntime takes, for any chat', () => {
  const adapter = toExternalStore(chat, { toInput: ({ text }) => ({ message: text }) })
  expectTypeOf(useExternalStoreRuntime<ThreadMessageLike>).toBeCallableWith(adapter)
})

it('wants an input of the provider’s kind', () => {
  // @ts-expect-error The provider takes a message, not text.
  toExternalStore(chat, { toInput: ({ text }) => ({ text }) })
})
