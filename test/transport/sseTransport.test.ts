import { AgentTransportError, createSseTransport, type SseMessage, type SseTransportOptions } from 'redux-agent'
import { createGate } from 'redux-agent/testing'
import { http, HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { startMsw } from '../support/startMsw.ts'
import { answerWith, readAll, readSse } from './readSse.ts'
import { toBytes } from './sseInputs.ts'

const url = 'https://agent.example.com/stream'
const server = startMsw()

type Options = SseTransportOptions<string, SseMessage>
const createTransport = (options: Partial<Options> = {}) =>
  createSseTransport<string, SseMessage>({ request: () => ({ url }), parse: (message) => message, ...options })
const open = (options: Partial<Options> = {}, signal = new AbortController().signal) =>
  createTransport(options).open('input', signal)
const read = (options: Partial<Options> = {}) => readAll(open(options))
const eventStream = (text: string, headers: Record<string, string> = {}) =>
  new HttpResponse(text, { headers: { 'content-type': 'text/event-stream', ...headers } })

describe('the request', () => {
  it('is a GET without a body, whose headers may come by a promise', async () => {
    const seen: Request[] = []
    server.use(
      http.get(url, ({ request }) => {
        seen.push(request)
        return eventStream('data: x\n\n')
      }),
    )
    const headers = Promise.resolve({ authorization: 'Bearer t1' })
    const { messages, error } = await read({ request: async () => ({ url, headers: await headers }) })
    expect(messages).toEqual([{ event: 'message', data: 'x', id: '' }])
    expect(error).toBeUndefined()
    expect(seen[0]!.headers.get('authorization')).toBe('Bearer t1')
    expect(seen[0]!.headers.get('accept')).toBe('text/event-stream')
  })

  it('is a POST with a body, unless it states a method', async () => {
    const methods: string[] = []
    server.use(
      http.all(url, async ({ request }) => {
        methods.push(`${request.method} ${await request.text()}`)
        return eventStream('')
      }),
    )
    await read({ request: () => ({ url, body: 'B' }) })
    await read({ request: () => ({ url, body: 'B', method: 'PUT', credentials: 'include' }) })
    expect(methods).toEqual(['POST B', 'PUT B'])
  })

  it('that cannot be made is worth another try and keeps its cause to itself, and nothing is fetched', async () => {
    const refused = new Error('no token')
    const failure = { code: 'request_failed', retryable: true, cause: refused }
    const fetch = vi.fn<typeof globalThis.fetch>()
    const { error } = await read({ fetch, request: () => Promise.reject(refused) })
    expect(error).toMatchObject(failure)
    expect((error as Error).message).not.toContain('no token')
    const throwing = () => {
      throw refused
    }
    expect((await read({ fetch, request: throwing })).error).toMatchObject(failure)
    expect(fetch).not.toHaveBeenCalled()
  })
})

describe('the answer', () => {
  it('tells its headers, with the request, before its first message; one that is no stream tells none', async () => {
    const told: unknown[] = []
    const onHeaders = (headers: Headers, request: string) => told.push([headers.get('x-run-id'), request])
    const parse = ({ data }: SseMessage) => {
      told.push(data)
      return { event: 'message', data, id: '' }
    }
    server.use(http.get(url, () => eventStream('data: x\n\n', { 'x-run-id': 'w1' })))
    await read({ onHeaders, parse })
    server.use(http.get(url, () => new HttpResponse('<html>', { headers: { 'x-run-id': 'w2' } })))
    await read({ onHeaders, parse })
    expect(told).toEqual([['w1', 'input'], 'x'])
  })

  it.each([
    [204, false],
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [409, false],
    [410, false],
    [422, false],
    [408, true],
    [425, true],
    [429, true],
    [500, true],
    [502, true],
    [503, true],
  ])(
    'with status %i is an error, retryable: %s, and none of its body is read as messages',
    async (status, retryable) => {
      const body = status === 204 ? null : 'data: not a message\n\n'
      server.use(
        http.get(url, () => new HttpResponse(body, { status, headers: { 'content-type': 'text/event-stream' } })),
      )
      const { messages, error } = await read()
      expect(messages).toEqual([])
      expect(error).toBeInstanceOf(AgentTransportError)
      expect(error).toMatchObject({ code: 'http_status', status, retryable })
    },
  )

  it.each([
    ['{ code }', { code: 'cursor_expired', message: 'private words' }, 'cursor_expired'],
    ['{ error: { code } }', { error: { code: 'thread_busy', message: 'private words' } }, 'thread_busy'],
    ['a code that is a sentence', { code: 'private words' }, undefined],
    ['no code', { message: 'private words' }, undefined],
  ])('tells the server’s literal code and none of its words: %s', async (_shape, body, serverCode) => {
    server.use(http.get(url, () => HttpResponse.json(body, { status: 410 })))
    const { error } = await read()
    expect(error).toMatchObject({ serverCode })
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain('private words')
  })

  it('keeps its status where its body is broken, endless or no JSON', async () => {
    const json = { 'content-type': 'application/json' }
    const big = JSON.stringify({ code: 'late', rest: 'x'.repeat(100_000) })
    for (const [body, headers] of [
      ['{', json],
      [big, json],
      ['{"code":"page"}', { 'content-type': 'text/html' }],
    ] as const) {
      server.use(http.get(url, () => new HttpResponse(body, { status: 404, headers })))
      expect((await read()).error).toMatchObject({ status: 404, serverCode: undefined })
    }
  })

  it.each([
    ['7', 7000],
    ['0', 0],
    ['Thu, 01 Jan 1970 00:00:30 GMT', 20_000],
    ['Thu, 01 Jan 1970 00:00:05 GMT', 0],
    ['soon', undefined],
  ])('says in Retry-After %j when to come again', async (value, retryAfter) => {
    server.use(http.get(url, () => new HttpResponse(null, { status: 503, headers: { 'retry-after': value } })))
    expect((await read({ now: () => 10_000 })).error).toMatchObject({ retryAfter })
  })

  it.each(['text/html', 'application/json', 'text/event-streams', ''])('of type "%s" is refused', async (type) => {
    server.use(http.get(url, () => new HttpResponse('data: x\n\n', { headers: { 'content-type': type } })))
    const { messages, error } = await read()
    expect(messages).toEqual([])
    expect(error).toMatchObject({ code: 'content_type', retryable: false })
  })

  it.each(['text/event-stream; charset=utf-8', 'Text/Event-Stream', ' text/event-stream ;x=1'])(
    'of type "%s" is taken',
    async (type) => {
      server.use(http.get(url, () => eventStream('data: x\n\n', { 'content-type': type })))
      expect((await read()).messages).toHaveLength(1)
    },
  )

  it('that does not come is an error worth another try', async () => {
    server.use(http.get(url, () => HttpResponse.error()))
    expect((await read()).error).toMatchObject({
      code: 'network',
      retryable: true,
      cause: expect.any(Error) as unknown,
    })
  })
})

describe('the end', () => {
  it('is a plain one where nothing says which chunk is the last', async () => {
    const { messages, error } = await readSse([toBytes('data: x\n\n')], { isEnd: undefined })
    expect(messages).toHaveLength(1)
    expect(error).toBeUndefined()
  })

  it('comes with the last chunk: what follows is not read, and the body is cancelled', async () => {
    const cancel = vi.fn<() => void>()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(toBytes('data: x\n\nevent: end\ndata:\n\ndata: y\n\n')),
      cancel,
    })
    const headers = { 'content-type': 'text/event-stream' }
    const fetch: typeof globalThis.fetch = () => Promise.resolve(new Response(body, { headers }))
    const { messages, error } = await read({ fetch, isEnd: ({ event }) => event === 'end' })
    expect(messages.map(({ event }) => event)).toEqual(['message', 'end'])
    expect(error).toBeUndefined()
    expect(cancel).toHaveBeenCalledTimes(1)
  })

  it('that cannot be told is a frame that is not understood, after what came before it', async () => {
    const isEnd = () => {
      throw new TypeError('not a chunk')
    }
    const { messages, error } = await readSse([toBytes('data: x\n\n')], { isEnd })
    expect(messages).toHaveLength(1)
    expect(error).toMatchObject({ name: 'AgentTransportError', code: 'invalid_frame', retryable: false })
  })

  it('that comes too soon is incomplete, also right after the headers', async () => {
    expect((await readSse([])).error).toMatchObject({ code: 'incomplete', retryable: true })
  })

  it('by a cut is a network error, after the messages that had arrived', async () => {
    let pulls = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1
        if (pulls === 1) controller.enqueue(toBytes('retry: 900000\ndata: x\n\ndata: half'))
        else controller.error(new TypeError('terminated'))
      },
    })
    const headers = { 'content-type': 'text/event-stream' }
    const { messages, error } = await read({ fetch: () => Promise.resolve(new Response(body, { headers })) })
    expect(messages.map(({ data }) => data)).toEqual(['x'])
    expect(error).toMatchObject({ code: 'network', retryable: true, retryAfter: 60_000 })
  })

  it('by a message that is not understood comes after the ones before it, and quotes nothing', async () => {
    const pieces = [toBytes('data: 1\n\ndata: 2\n\ndata: secret\n\ndata: 4\n\n')]
    const transport = createSseTransport<string, number>({
      request: () => ({ url }),
      parse: ({ data }) => JSON.parse(data) as number,
      fetch: answerWith(pieces),
    })
    const { messages, error } = await readAll(transport.open('input', new AbortController().signal))
    expect(messages).toEqual([1, 2])
    expect(error).toMatchObject({ code: 'invalid_frame', retryable: false })
    expect(error).not.toHaveProperty('cause')
    expect(String(error)).not.toContain('secret')
  })

  it('keeps an error that parse itself made', async () => {
    const mine = new AgentTransportError('resume_unavailable', 'No.', { retryable: true, cause: 'why' })
    const parse = () => {
      throw mine
    }
    expect((await readSse([toBytes('data: x\n\n')], { parse })).error).toMatchObject({
      ...{ code: 'resume_unavailable', message: 'sse: chunk 0: No.', retryable: true, cause: 'why' },
      ...{ adapter: 'sse', chunk: 0 },
    })
    const other = new TypeError('not a number')
    const failing = () => {
      throw other
    }
    expect((await readSse([toBytes('data: x\n\n')], { parse: failing })).error).toMatchObject({ cause: other })
  })

  it('skips messages that parse makes nothing of', async () => {
    const parse = (message: SseMessage) => (message.event === 'ping' ? undefined : message)
    const { messages } = await readSse([toBytes('event: ping\ndata: 1\n\ndata: 2\n\n')], { parse })
    expect(messages.map(({ data }) => data)).toEqual(['2'])
  })
})

describe('leaving', () => {
  const headers = { 'content-type': 'text/event-stream' }

  it('by an abort ends a stream whose fetch heeds no signal, and cancels the body', async () => {
    const controller = new AbortController()
    const waiting = createGate()
    const cancel = vi.fn<() => void>()
    const body = new ReadableStream<Uint8Array>({ pull: () => waiting.pass(), cancel }, { highWaterMark: 0 })
    const fetch: typeof globalThis.fetch = () => Promise.resolve(new Response(body, { headers }))
    const reading = readAll(open({ fetch }, controller.signal))
    await waiting.reached
    controller.abort('enough')
    expect((await reading).error).toBe('enough')
    expect(cancel).toHaveBeenCalledTimes(1)
  })

  it('by an abort during the connection aborts the request', async () => {
    const controller = new AbortController()
    const asked = createGate()
    let signal: AbortSignal | null | undefined
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      signal = init?.signal
      await asked.pass(signal ?? undefined)
      return new Response(null)
    }
    const reading = readAll(open({ fetch }, controller.signal))
    await asked.reached
    controller.abort('enough')
    expect((await reading).error).toBe('enough')
    expect(signal?.aborted).toBe(true)
  })

  it('by an abort while the headers are made fetches nothing', async () => {
    const controller = new AbortController()
    const asked = createGate()
    const fetch = vi.fn<typeof globalThis.fetch>()
    const request = async () => {
      await asked.pass()
      return { url }
    }
    const reading = readAll(open({ fetch, request }, controller.signal))
    await asked.reached
    controller.abort('enough')
    expect((await reading).error).toBe('enough')
    expect(fetch).not.toHaveBeenCalled()
  })

  it('by an abort that came before fetches nothing', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>()
    expect((await readAll(open({ fetch }, AbortSignal.abort('enough')))).error).toBe('enough')
    expect(fetch).not.toHaveBeenCalled()
  })

  it('by a break cancels the body', async () => {
    const cancel = vi.fn<() => void>()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(toBytes('data: 1\n\ndata: 2\n\n')),
      cancel,
    })
    const stream = open({ fetch: () => Promise.resolve(new Response(body, { headers })) })
    const seen: string[] = []
    for await (const { data } of stream) {
      seen.push(data)
      break
    }
    expect(seen).toEqual(['1'])
    expect(cancel).toHaveBeenCalledTimes(1)
  })
})

describe('a resume', () => {
  it('is there only where the options say how, and asks with the cursor', async () => {
    expect('resume' in createTransport()).toBe(false)
    expect('getCursor' in createTransport()).toBe(false)
    server.use(
      http.get(url, ({ request }) => eventStream(`data: ${new URL(request.url).searchParams.get('after')}\n\n`)),
    )
    const transport = createTransport({
      resume: (input, cursor) => ({ url: `${url}?after=${cursor}-${input}` }),
      getCursor: ({ id }) => id || undefined,
    })
    const { messages } = await readAll(transport.resume!('input', 'c7', new AbortController().signal))
    expect(messages.map(({ data }) => data)).toEqual(['c7-input'])
    expect(transport.getCursor!({ event: 'message', data: '', id: 'c8' })).toBe('c8')
  })
})
