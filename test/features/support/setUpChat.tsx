import {
  DefaultChatProvider,
  useXChat as useTheirChat,
  XRequest,
  type XRequestOptions,
} from '@ant-design/x-sdk'
import { act, renderHook } from '@testing-library/react'
import { vi } from 'vitest'
import { createHarness } from './createHarness.tsx'

/** A message of these chats. */
interface Message {
  content: string
  role: string
}

export interface Info {
  message: Message
}

interface Input {
  query: string
}

/** A provider of the published package over a `fetch` that answers with chunks when the test says so. */
export function createWires(more: { retryInterval?: number } = {}) {
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

export type Options = Partial<Parameters<typeof useTheirChat<Message, Message, Input, { data: string }>>[0]>

/** The same chat, in the published hook and in ours. */
export function setUp(kind: 'theirs' | 'ours', options: Options = {}, more: Parameters<typeof createWires>[0] = {}) {
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
  const ask = (query: string) => {
    act(() => chat().onRequest({ query }))
    return settle()
  }
  /** Asks for the last message again. */
  const askAgain = (query: string) => {
    act(() => chat().onReload(chat().messages.at(-1)!.id, { query }))
    return settle()
  }
  /** A piece of the answer to the newest request comes, and is the last one where that is said. */
  const hear = (text: string, { isLast = false } = {}) => {
    wires.at(-1)!.push(text)
    if (isLast) wires.at(-1)!.end()
    return settle()
  }
  const cut = () => {
    wires.at(-1)!.fail(new TypeError('cut'))
    return settle()
  }
  const shown = () => ({
    messages: chat().messages.map(({ message, status, id }) => [id, status, message?.content, message?.role]),
    parsed: chat().parsedMessages.map(({ message, id }) => [id, message]),
    isRequesting: chat().isRequesting,
  })
  return { provider, wires, chat, shown, settle, ask, askAgain, hear, cut, rerender }
}
