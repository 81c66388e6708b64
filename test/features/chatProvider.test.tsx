import {
  DefaultChatProvider,
  OpenAIChatProvider,
  useXChat as useTheirChat,
  XRequest,
  type XRequestOptions,
} from '@ant-design/x-sdk'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { noticeUncaught } from '../store/noticeUncaught.ts'
import { eventually } from '../support/eventually.ts'
import { createHarness } from './support/createHarness.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

interface Message {
  content: string
  role: string
}

interface Info {
  message: Message
}

interface Input {
  query: string
}

/** A provider of the published package over a `fetch` that answers with chunks when the test says so. */
function createWires(more: { retryInterval?: number } = {}) {
  const wires: { body: unknown; push(text: string): void; end(): void; fail(error: Error): void }[] = []
  const fetch = (async (_url: string, init: RequestInit) => {
    const encoder = new TextEncoder()
    let controller!: ReadableStreamDefaultController<Uint8Array>
    const stream = new ReadableStream<Uint8Array>({ start: (own) => void (controller = own) })
    init.signal?.addEventListener('abort', () => {
      const error = new Error('aborted')
      error.name = 'AbortError'
      controller.error(error)
    })
    wires.push({
      body: JSON.parse(String(init.body)),
      push: (text) => controller.enqueue(encoder.encode(`data: ${JSON.stringify({ text })}\n\n`)),
      end: () => controller.close(),
      fail: (error) => controller.error(error),
    })
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  }) as unknown as XRequestOptions<Input, { data: string }>['fetch']
  class Provider extends DefaultChatProvider<Message, Input, { data: string }> {
    override transformParams(params: Partial<Input>) {
      return { query: params.query ?? '' }
    }
    override transformLocalMessage(params: Partial<Input>) {
      return { content: params.query ?? '', role: 'user' }
    }
    override transformMessage({ originMessage, chunk }: { originMessage?: Message; chunk: { data: string } }) {
      const text = chunk ? (JSON.parse(chunk.data) as { text: string }).text : ''
      return { content: (originMessage?.content ?? '') + text, role: 'assistant' }
    }
  }
  const provider = new Provider({
    request: XRequest<Input, { data: string }, Message>('https://example.com', { manual: true, fetch, ...more }),
  })
  return { provider, wires }
}

type Options = Partial<Parameters<typeof useTheirChat<Message, Message, Input, { data: string }>>[0]>

/** The same chat, in the published hook and in ours. */
function setUp(kind: 'theirs' | 'ours', options: Options = {}, more: Parameters<typeof createWires>[0] = {}) {
  const { provider, wires } = createWires(more)
  const { agent, wrapper } = createHarness()
  const { result, rerender } = renderHook(
    (props: Options) => {
      const given = { provider, ...options, ...props }
      // The same hook at each render of one test.
      // oxlint-disable-next-line react/rules-of-hooks
      return kind === 'theirs' ? useTheirChat<Message, Message, Input, { data: string }>(given) : agent.useXChat(given as never)
    },
    { wrapper, initialProps: {} },
  )
  const settle = () => act(() => vi.advanceTimersByTimeAsync(120))
  const chat = () => result.current as unknown as ReturnType<typeof useTheirChat<Message, Message, Input, { data: string }>>
  const shown = () => ({
    messages: chat().messages.map(({ message, status, id }) => [id, status, message?.content, message?.role]),
    parsed: chat().parsedMessages.map(({ message, id }) => [id, message]),
    isRequesting: chat().isRequesting,
  })
  return { provider, wires, chat, shown, settle, rerender }
}

type Chat = ReturnType<typeof setUp>

const waiting = 'first messages that are loaded, and a request that waits for them'

const scenarios: Record<string, { options?: Options; play(chat: Chat, look: () => void): Promise<void> }> = {
  'an answer that streams': {
    async play({ chat, wires, settle }, look) {
      act(() => chat().onRequest({ query: 'Hello' }))
      await settle()
      look()
      wires[0]!.push('Good ')
      await settle()
      look()
      wires[0]!.push('day')
      wires[0]!.end()
      await settle()
      look()
      expect(wires[0]!.body).toEqual({ query: 'Hello' })
    },
  },
  'a placeholder until the answer begins': {
    options: { requestPlaceholder: { content: '…', role: 'assistant' } },
    async play({ chat, wires, settle }, look) {
      act(() => chat().onRequest({ query: 'Hello' }))
      await settle()
      look()
      wires[0]!.push('Good day')
      await settle()
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
    async play({ chat, wires, settle }, look) {
      act(() => chat().onRequest({ query: 'Hello' }))
      await settle()
      wires[0]!.fail(new TypeError('cut'))
      await settle()
      look()
    },
  },
  'a failure without a fallback': {
    async play({ chat, wires, settle }, look) {
      act(() => chat().onRequest({ query: 'Hello' }))
      await settle()
      wires[0]!.push('Half')
      await settle()
      wires[0]!.fail(new TypeError('cut'))
      await settle()
      look()
    },
  },
  'an abort': {
    async play({ chat, wires, settle }, look) {
      act(() => chat().onRequest({ query: 'Hello' }))
      await settle()
      wires[0]!.push('Half')
      await settle()
      act(() => chat().abort())
      await settle()
      look()
    },
  },
  'an answer that is asked for again': {
    options: { requestPlaceholder: { content: '…', role: 'assistant' } },
    async play({ chat, wires, settle }, look) {
      act(() => chat().onRequest({ query: 'Hello' }))
      await settle()
      wires[0]!.push('First')
      wires[0]!.end()
      await settle()
      const { id } = chat().messages.at(-1)!
      act(() => chat().onReload(id, { query: 'Again' }))
      await settle()
      look()
      wires[1]!.push('Second')
      await settle()
      look()
      wires[1]!.end()
      await settle()
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

  it('gives an answer an id of its own beside messages that an earlier page had made', async () => {
    const { chat, wires, settle } = setUp('ours', {
      defaultMessages: [
        { id: 'msg_0', status: 'local', message: { content: 'Hello', role: 'user' } },
        { id: 'msg_1', status: 'success', message: { content: 'Good day', role: 'assistant' } },
      ],
    })
    await settle()
    act(() => chat().onRequest({ query: 'Again' }))
    await settle()
    wires[0]!.push('Good night')
    wires[0]!.end()
    await settle()
    expect(chat().messages.map(({ message }) => message.content)).toEqual(['Hello', 'Good day', 'Again', 'Good night'])
    expect(new Set(chat().messages.map(({ id }) => id)).size).toBe(4)
  })

  it.each<[string, Options['defaultMessages']]>([
    ['throws', () => { throw new Error('no') }],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['resolves with nothing', () => Promise.resolve(undefined as never)],
    ['gives nothing', () => undefined as never],
    ['is null', null as never],
  ])('begins without first messages where what loads them %s', async (_name, defaultMessages) => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const { chat, wires, settle } = setUp('ours', { defaultMessages })
    await settle()
    act(() => chat().onRequest({ query: 'Hello' }))
    await settle()
    wires[0]!.push('Good day')
    wires[0]!.end()
    await settle()
    expect(chat().messages.map(({ message }) => message.content)).toEqual(['Hello', 'Good day'])
    expect(chat().isDefaultMessagesRequesting).toBe(false)
    expect(warned).toHaveBeenCalledTimes(_name === 'throws' || _name === 'rejects' ? 1 : 0)
  })

  const fallback = { requestFallback: { content: 'Sorry', role: 'assistant' } }
  it.each([['asked', false], ['asked again', true]])('tells a failure once where what is %s is tried again, and not beside the answer that comes then', async (_name, isReload) => {
    const { chat, wires, settle } = setUp('ours', fallback, { retryInterval: 10 })
    const contents = () => chat().messages.map(({ message }) => message.content)
    act(() => chat().onRequest({ query: 'Hello' }))
    await settle()
    if (isReload) {
      wires[0]!.push('First')
      wires[0]!.end()
      await settle()
      act(() => chat().onReload(chat().messages.at(-1)!.id, { query: 'Hello' }))
      await settle()
    }
    for (let attempt = 0; attempt < 3; attempt += 1) {
      wires.at(-1)!.fail(new TypeError('cut'))
      await settle()
      expect(contents()).toEqual(['Hello', 'Sorry'])
    }
    wires.at(-1)!.push('Good day')
    wires.at(-1)!.end()
    await settle()
    expect(contents()).toEqual(['Hello', 'Good day'])
  })

  it('refuses an empty key, which all that have no id yet would share', () => {
    const { provider } = createWires()
    const { agent, wrapper } = createHarness()
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    const show = () => renderHook(() => agent.useXChat({ provider, conversationKey: '' }), { wrapper })
    expect(show).toThrow(expect.objectContaining({ code: 'invalid_conversation_key' }))
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

describe('a fallback that fails', () => {
  const { unhandled } = noticeUncaught()

  it('leaves nothing that waits for an answer, and is the app’s to hear of', async () => {
    const failure = new Error('No words.')
    const { chat, wires, settle } = setUp('ours', {
      requestPlaceholder: { content: '…', role: 'assistant' },
      requestFallback: () => Promise.reject(failure),
    })
    act(() => chat().onRequest({ query: 'Hello' }))
    await settle()
    wires[0]!.fail(new TypeError('cut'))
    await settle()
    vi.useRealTimers()
    await eventually(() => expect(unhandled).toHaveBeenCalledWith(failure, expect.anything()))
    expect(chat().messages.map(({ status }) => status)).toEqual(['local', 'error'])
  })
})
