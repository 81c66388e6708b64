import type { DefaultChatProvider } from '@ant-design/x-sdk'
import type { AgentState } from 'redux-agent'
import type { AgentActions, UseXChat } from 'redux-agent/react'
import { expectTypeOf, it } from 'vitest'

declare const useXChat: UseXChat
declare const provider: DefaultChatProvider<{ content: string }, { query: string }, { data: string }>

it('gives an ordinary chat the provider’s own messages, and nothing of an agent', () => {
  const chat = useXChat({ provider, parser: ({ content }) => content })
  expectTypeOf(chat.messages[0]!.message).toEqualTypeOf<{ content: string }>()
  expectTypeOf(chat.parsedMessages[0]!.message).toEqualTypeOf<string>()
  expectTypeOf(chat.agentState).toEqualTypeOf<undefined>()
  expectTypeOf(chat.agentActions).toEqualTypeOf<undefined>()
  expectTypeOf(chat.onRequest).parameter(0).toEqualTypeOf<Partial<{ query: string }>>()
})

it('gives an agent’s chat its state and actions', () => {
  const chat = useXChat({ provider: 'support' })
  expectTypeOf(chat.agentState).toEqualTypeOf<AgentState>()
  expectTypeOf(chat.agentActions).toEqualTypeOf<AgentActions>()
})
