import {
  agentCommandTypes,
  agentEventTypes,
  createAgentEventFactory,
  runAgentProvider,
  type AgentEvent,
} from 'redux-agent'
import { createRunServerProvider, type RunServerInput } from 'redux-agent/adapters/run-server'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { http, HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { startMsw } from '../support/startMsw.ts'

const baseUrl = 'https://agent.example.com'
const server = startMsw()

const run = { sessionId: 's1', runId: 'r1', now: () => 1000 }
const input: RunServerInput = { message: 'Hello' }
const events = createAgentEventFactory({ ...run, initialSequence: 0 })
const log = [
  events.create('run.started', {}),
  events.create('message.started', { messageId: 'm1', role: 'assistant' }),
  events.create('message.delta', { messageId: 'm1', delta: 'Hi 😀' }),
  events.create('message.completed', { messageId: 'm1' }),
  events.create('run.completed', {}),
]

const control = (type: string, fields: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, runId: 'r1', ...fields })}\n\n`
const stored = (event: AgentEvent) => ({ runId: 'r1', seq: event.sequence, event, createdAt: 1000 })
const frame = (event: AgentEvent) => `id: ${event.sequence}\ndata: ${JSON.stringify(stored(event))}\n\n`
const runStart = control('run-start', { seq: 1, assistantMessageId: 'm1' })
const end = control('end', { seq: 5 })

/** Answers the stream route with these frames and notes the bodies that were sent. */
function answerStream(...frames: string[]) {
  const requests: { body: unknown; headers: Headers }[] = []
  server.use(
    http.post(`${baseUrl}/api/agent/stream`, async ({ request }) => {
      requests.push({ body: await request.json(), headers: request.headers })
      return new HttpResponse(frames.join(''), { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
    }),
  )
  return requests
}

/** Runs to the end and gives all that came out. */
async function collect(options: {
  provider?: ReturnType<typeof createRunServerProvider>
  input?: RunServerInput
  cursor?: string
  initialSequence?: number
}) {
  const { provider = createRunServerProvider({ baseUrl, createMessageId: () => 'm1' }), cursor } = options
  const seen: AgentEvent[] = []
  const cursors: string[] = []
  const failures: { error: unknown; retryable: boolean }[] = []
  const onConnected = vi.fn<() => void>()
  await runAgentProvider({
    provider,
    input: options.input ?? input,
    run: { ...run, initialSequence: options.initialSequence },
    ...(cursor !== undefined && { resume: { cursor } }),
    onEvent: (event) => seen.push(event),
    onCursor: (value) => cursors.push(value),
    onConnected,
    onTransportError: (error, { retryable }) => {
      failures.push({ error, retryable })
      return 'transform'
    },
  })
  return { seen, cursors, failures, onConnected }
}

describe('a provider of the run server', () => {
  it('is dense and resumable, and can do everything', () => {
    expect(createRunServerProvider()).toMatchObject({
      id: 'run-server',
      protocol: { name: 'agent-event', version: '0.1' },
      capabilities: {
        eventTypes: agentEventTypes,
        transports: ['sse'],
        commands: agentCommandTypes,
        resumable: true,
        sequence: 'dense',
      },
    })
    expect(createRunServerProvider({ id: 'support' }).id).toBe('support')
  })

  it('delivers the server’s events as they are, in order, up to its end', async () => {
    answerStream(
      runStart,
      ': keep-alive\n\n',
      ...log.map(frame),
      control('checkpoint', { seq: 5 }),
      end,
      frame(log[0]!),
    )
    const { seen, failures, onConnected } = await collect({})
    expect(seen).toEqual(log)
    expect(failures).toEqual([])
    expect(onConnected).toHaveBeenCalledTimes(1)
    expect(validateAgentProviderEvents(createRunServerProvider().capabilities, seen)).toEqual([])
  })

  it('makes no event of its own', async () => {
    answerStream(runStart, end)
    expect((await collect({})).seen).toEqual([])
  })
})

describe('a start', () => {
  it('sends the person’s message, the ids, and what the input states', async () => {
    const requests = answerStream(runStart, end)
    const parts = [{ type: 'text' as const, text: 'Hello' }]
    const currentDocument = { id: 'd1', title: 'Notes', contentHash: 'h1' }
    await collect({
      input: { message: parts, modelId: 'big', enableThinking: true, mode: 'plan', currentDocument, supersede: true },
    })
    expect(requests[0]!.body).toEqual({
      runId: 'r1',
      assistantMessageId: 'm1',
      conversationId: 's1',
      messages: [{ role: 'user', content: parts }],
      modelId: 'big',
      enableThinking: true,
      mode: 'plan',
      currentDocument,
      supersede: true,
    })
    expect(requests[0]!.headers.get('content-type')).toBe('application/json')
  })

  it('falls back on the provider’s options, and leaves out what nobody states', async () => {
    const requests = answerStream(runStart, end)
    const provider = createRunServerProvider({
      baseUrl: `${baseUrl}/`,
      modelId: 'small',
      enableThinking: false,
      mode: 'chat',
    })
    await collect({ provider, input: { message: 'Hello', assistantMessageId: 'stated', modelId: 'big' } })
    await collect({ provider })
    await collect({})
    const bodies = requests.map(({ body }) => body as Record<string, unknown>)
    expect(bodies[0]).toMatchObject({
      assistantMessageId: 'stated',
      modelId: 'big',
      enableThinking: false,
      mode: 'chat',
    })
    expect(bodies[1]!['assistantMessageId']).toMatch(/^[\da-f-]{36}$/)
    expect(Object.keys(bodies[2]!)).toEqual(['runId', 'assistantMessageId', 'conversationId', 'messages'])
  })

  it('asks for the headers before every request', async () => {
    const requests = answerStream(runStart, end)
    let token = 0
    const provider = createRunServerProvider({
      baseUrl,
      headers: () => {
        token += 1
        return Promise.resolve({ authorization: `Bearer ${token}` })
      },
    })
    await collect({ provider })
    await collect({ provider })
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer 1', 'Bearer 2'])
  })

  it('goes to the page’s own origin where there is no baseUrl', async () => {
    const urls: unknown[] = []
    const fetch: typeof globalThis.fetch = (url) => {
      urls.push(url)
      return Promise.resolve(new Response(null, { status: 404 }))
    }
    await collect({ provider: createRunServerProvider({ fetch, headers: { 'x-app': '1' }, credentials: 'include' }) })
    expect(urls).toEqual(['/api/agent/stream'])
  })

  it('that the server refuses is final, and says the server’s code', async () => {
    server.use(
      http.post(`${baseUrl}/api/agent/stream`, () =>
        HttpResponse.json({ code: 'thread_busy', message: 'x' }, { status: 409 }),
      ),
    )
    const { failures } = await collect({})
    expect(failures).toMatchObject([{ retryable: false, error: { status: 409, serverCode: 'thread_busy' } }])
  })
})

describe('an end', () => {
  it.each([
    ['without end', [runStart, frame(log[0]!)]],
    ['in the middle of a frame', [runStart, frame(log[0]!), frame(log[1]!).slice(0, 40)]],
    ['before anything', []],
    ['by end, before the run’s own', [runStart, frame(log[0]!), end]],
    ['by end alone', [runStart, end]],
  ])('%s is a loss worth another try', async (_where, frames) => {
    answerStream(...frames)
    const { failures } = await collect({})
    expect(failures).toMatchObject([{ retryable: true, error: { code: 'incomplete', adapter: 'run-server' } }])
  })

  it('by parked is none', async () => {
    answerStream(runStart, frame(log[0]!), control('parked', { seq: 1 }))
    const { seen, failures } = await collect({})
    expect(seen).toEqual([log[0]])
    expect(failures).toEqual([])
  })
})

describe('a frame', () => {
  const event = log[0]!
  const message = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`

  it.each<[string, string]>([
    ['no JSON', 'data: {"runId":\n\n'],
    ['no object', message(null)],
    ['without an event', message({ runId: 'r1', seq: 1, createdAt: 1 })],
    ['with an event that is null', message({ runId: 'r1', seq: 1, createdAt: 1, event: null })],
    ['without a sequence', message({ runId: 'r1', createdAt: 1, event })],
    ['of sequence 0', message({ runId: 'r1', seq: 0, createdAt: 1, event: { ...event, sequence: 0 } })],
    ['of another sequence than its event', message({ runId: 'r1', seq: 2, createdAt: 1, event })],
    ['of another run', message({ runId: 'r2', seq: 1, createdAt: 1, event })],
    ['that starts another run', control('run-start', { runId: 'r2', seq: 1, assistantMessageId: 'm1' })],
    ['that starts without a message', control('run-start', { seq: 1 })],
  ])('%s ends the stream for good', async (_fault, text) => {
    answerStream(runStart, text, end)
    const { seen, failures } = await collect({})
    expect(seen).toEqual([])
    expect(failures).toMatchObject([{ retryable: false, error: { code: 'invalid_frame' } }])
  })

  it('whose event is none is a protocol error', async () => {
    answerStream(
      runStart,
      message({ runId: 'r1', seq: 1, createdAt: 1, event: { ...event, type: 'run.waiting' } }),
      end,
    )
    await expect(collect({})).rejects.toMatchObject({ code: 'invalid_event' })
  })

  it('of control that nobody knows is skipped', async () => {
    answerStream(runStart, control('weather', { seq: 9 }), frame(event), end)
    expect((await collect({})).seen).toEqual([event])
  })
})

describe('a resume', () => {
  it('goes on after the cursor of the last chunk, with the message that the server named', async () => {
    const started = answerStream(
      control('run-start', { seq: 1, assistantMessageId: 'named' }),
      ...log.slice(0, 3).map(frame),
    )
    const first = await collect({})
    expect(started).toHaveLength(1)
    expect(first.cursors).toHaveLength(3)

    const resumed = answerStream(control('resume-start', { seq: 5, fromSeq: 3 }), ...log.slice(3).map(frame), end)
    const second = await collect({ cursor: first.cursors[2]!, initialSequence: 3 })
    expect(resumed[0]!.body).toEqual({ resume: { runId: 'r1', lastAppliedSeq: 3, assistantMessageId: 'named' } })
    expect([...first.seen, ...second.seen]).toEqual(log)

    const again = answerStream(end)
    await collect({ cursor: second.cursors.at(-1)! })
    expect(again[0]!.body).toEqual({ resume: { runId: 'r1', lastAppliedSeq: 5, assistantMessageId: 'named' } })
  })

  it.each([
    [true, 'try again'],
    [false, 'start a new run'],
  ])('that is unavailable is retryable where it is recoverable: %s', async (recoverable, advice) => {
    answerStream(control('resume-unavailable', { reason: 'gone', recoverable }))
    const { failures } = await collect({ cursor: '{"seq":3,"assistantMessageId":"m1"}' })
    expect(failures).toMatchObject([{ retryable: recoverable, error: { code: 'resume_unavailable' } }])
    expect(String(failures[0]!.error)).toContain(advice)
  })

  it.each(['', 'x', '{}', '{"seq":-1,"assistantMessageId":"m1"}', '{"seq":"3","assistantMessageId":"m1"}', 'null'])(
    'from cursor %j, which is none, sends nothing and is final',
    async (cursor) => {
      const requests = answerStream(end)
      const { failures } = await collect({ cursor })
      expect(failures).toMatchObject([{ retryable: false, error: { code: 'resume_unavailable' } }])
      expect(requests).toEqual([])
    },
  )

  it.each([
    [410, 'cursor_expired'],
    [409, 'cursor_ahead'],
  ])('that is refused by %i is final and says %s', async (status, code) => {
    server.use(http.post(`${baseUrl}/api/agent/stream`, () => HttpResponse.json({ code, earliestSeq: 9 }, { status })))
    const { failures } = await collect({ cursor: '{"seq":3,"assistantMessageId":"m1"}' })
    expect(failures).toMatchObject([{ retryable: false, error: { status, serverCode: code } }])
  })
})
