import { OpenAIChatProvider, XRequest } from '@ant-design/x-sdk'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHarness } from './support/createHarness.tsx'
import { createWires, setUp, type Info, type Options } from './support/setUpChat.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

type Chat = ReturnType<typeof setUp>

const waiting = 'first messages that are loaded, and a request that waits for them'

const scenarios: Record<string, { options?: Options; play(chat: Chat, look: () => void): Promise<void> }> = {
  'an answer that streams': {
    async play({ wires, ask, hear }, look) {
      await ask('Hello')
      look()
      await hear('Good ')
      look()
      await hear('day', { isLast: true })
      look()
      expect(wires[0]!.body).toEqual({ query: 'Hello' })
    },
  },
  'a placeholder until the answer begins': {
    options: { requestPlaceholder: { content: '…', role: 'assistant' } },
    async play({ ask, hear }, look) {
      await ask('Hello')
      look()
      await hear('Good day')
      look()
    },
  },
  'a failure with a fallback that is made': {
    options: {
      requestPlaceholder: (_params, { messages }) => ({ content: `… ${messages.length}`, role: 'assistant' }),
      requestFallback: (params, { error, messages }) => ({
        content: `${params.query} ${error.name} ${messages.length}`,
        role: 'assistant',
      }),
    },
    async play({ ask, cut }, look) {
      await ask('Hello')
      await cut()
      look()
    },
  },
  'a failure without a fallback': {
    async play({ ask, hear, cut }, look) {
      await ask('Hello')
      await hear('Half')
      await cut()
      look()
    },
  },
  'an abort': {
    async play({ chat, settle, ask, hear }, look) {
      await ask('Hello')
      await hear('Half')
      act(() => chat().abort())
      await settle()
      look()
    },
  },
  'an answer that is asked for again': {
    options: { requestPlaceholder: { content: '…', role: 'assistant' } },
    async play({ wires, settle, ask, askAgain, hear }, look) {
      await ask('Hello')
      await hear('First', { isLast: true })
      await askAgain('Again')
      look()
      await hear('Second')
      look()
      wires[1]!.end()
      await settle()
      look()
    },
  },
  'an answer that is asked for again, with nothing in its place': {
    async play({ ask, askAgain, hear }, look) {
      await ask('Hello')
      await hear('First', { isLast: true })
      await askAgain('Again')
      look()
      await hear('Second', { isLast: true })
      look()
    },
  },
  'messages that are there before, parsed and changed by hand': {
    options: {
      defaultMessages: [
        { message: { content: 'Welcome', role: 'assistant' }, status: 'success' },
        { message: { content: 'one two', role: 'user' } },
      ],
      parser: (message) => message.content.split(' ').map((content) => ({ ...message, content })),
    },
    async play({ chat, settle }, look) {
      await settle()
      look()
      act(() => void chat().setMessage('default_0', { message: { content: 'Hi', role: 'assistant' } }))
      act(() => void chat().removeMessage('default_1'))
      expect(chat().setMessage('none', {})).toBe(false)
      expect(chat().removeMessage('none')).toBe(false)
      await settle()
      look()
      act(() => void chat().setMessages((all) => [...all, { id: 'x', status: 'local', message: { content: 'X', role: 'user' } }]))
      await settle()
      look()
    },
  },
  [waiting]: {
    options: {
      conversationKey: 'waiting',
      defaultMessages: () =>
        new Promise<Info[]>((resolve) => {
          setTimeout(() => resolve([{ message: { content: 'Welcome', role: 'assistant' } }]), 500)
        }),
    },
    async play({ chat, wires, settle }, look) {
      expect(chat().isDefaultMessagesRequesting).toBe(true)
      act(() => chat().queueRequest('waiting', { query: 'Queued' }))
      await settle()
      expect(wires).toHaveLength(0)
      await act(() => vi.advanceTimersByTimeAsync(600))
      await settle()
      expect(wires).toHaveLength(1)
      look()
    },
  },
}

describe('useXChat with a chat provider of the published x-sdk', () => {
  it.each(Object.entries(scenarios))('shows what x-sdk’s own hook shows: %s', async (name, { options, play }) => {
    const seen: Record<'theirs' | 'ours', unknown[]> = { theirs: [], ours: [] }
    for (const kind of ['theirs', 'ours'] as const) {
      const chat = setUp(kind, options)
      // Theirs lays its first messages, none here, over whatever is asked for before they are there.
      if (name !== waiting) await chat.settle()
      await play(chat, () => seen[kind].push(chat.shown()))
      cleanup()
    }
    expect(seen.theirs.length, name).toBeGreaterThan(0)
    expect(seen.ours).toEqual(seen.theirs)
  })

  it('has no state of an agent and no commands', () => {
    const { provider } = createWires()
    const { agent, wrapper, store } = createHarness()
    const before = store.getState()
    const { result } = renderHook(() => agent.useXChat({ provider }), { wrapper })
    expect(result.current.agentState).toBeUndefined()
    expect(result.current.agentActions).toBeUndefined()
    expect(store.getState()).toBe(before)
  })

  it('keeps a conversation with a key for the next component of the same store, and of no other', async () => {
    const { provider, wires } = createWires()
    const [one, two] = [createHarness(), createHarness()]
    const show = ({ wrapper }: typeof one) =>
      renderHook(() => one.agent.useXChat({ provider, conversationKey: 'c1' }), { wrapper })
    const first = show(one)
    act(() => first.result.current.onRequest({ query: 'Hello' }))
    await act(() => vi.advanceTimersByTimeAsync(120))
    first.unmount()
    wires[0]!.push('Good day')
    wires[0]!.end()
    await act(() => vi.advanceTimersByTimeAsync(120))
    expect(show(one).result.current.messages.map(({ message }) => message.content)).toEqual(['Hello', 'Good day'])
    expect(show(two).result.current.messages).toEqual([])
  })

  it('gives the provider all messages but the placeholder', async () => {
    const { provider } = createWires()
    const { agent, wrapper } = createHarness()
    const { result } = renderHook(
      () => agent.useXChat({ provider, requestPlaceholder: { content: '…', role: 'assistant' } }),
      { wrapper },
    )
    act(() => result.current.onRequest({ query: 'Hello' }))
    await act(() => vi.advanceTimersByTimeAsync(120))
    expect(result.current.messages).toHaveLength(2)
    expect(provider.getMessages()).toEqual([{ content: 'Hello', role: 'user' }])
  })

  it('takes the package’s own OpenAI provider as it is', async () => {
    const provider = new OpenAIChatProvider({
      request: XRequest('https://example.com', {
        manual: true,
        fetch: (async () =>
          new Response('data: {"choices":[{"delta":{"role":"assistant","content":"Hi"}}]}\n\ndata: [DONE]\n\n', {
            headers: { 'content-type': 'text/event-stream' },
          })) as never,
      }) as never,
    })
    const { agent, wrapper } = createHarness()
    const { result } = renderHook(() => agent.useXChat({ provider }), { wrapper })
    act(() => result.current.onRequest({ messages: [{ role: 'user', content: 'Hello' }] } as never))
    await act(() => vi.advanceTimersByTimeAsync(120))
    expect(result.current.messages.map(({ status }) => status)).toEqual(['local', 'success'])
    expect(result.current.messages[1]!.message).toMatchObject({ role: 'assistant', content: 'Hi' })
  })

  it('is free again where the request could not even be made', async () => {
    const { provider } = createWires()
    const { agent, wrapper } = createHarness()
    provider.transformParams = () => {
      throw new Error('No such model.')
    }
    const { result } = renderHook(
      () => agent.useXChat({ provider, requestPlaceholder: { content: '…', role: 'assistant' } }),
      { wrapper },
    )
    expect(() => act(() => result.current.onRequest({ query: 'Hello' }))).toThrow('No such model.')
    await act(() => vi.advanceTimersByTimeAsync(120))
    expect(result.current.isRequesting).toBe(false)
    expect(result.current.messages.map(({ status }) => status)).toEqual(['local', 'error'])
  })

  it('says so where a message is not there, and where the provider changes in kind', () => {
    const { provider } = createWires()
    const { agent, wrapper, scripted } = createHarness()
    const { result } = renderHook(() => agent.useXChat({ provider }), { wrapper })
    expect(() => result.current.onReload('none', { query: 'x' })).toThrow('message [none] is not found')
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    const changing = () =>
      renderHook(({ given }: { given: never }) => agent.useXChat({ provider: given }), {
        wrapper,
        initialProps: { given: provider as never },
      }).rerender({ given: scripted.provider as never })
    expect(changing).toThrow(expect.objectContaining({ code: 'provider_kind_changed' }))
  })
})
