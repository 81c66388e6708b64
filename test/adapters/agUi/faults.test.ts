import { createAgentRuntime, type AgentState } from 'redux-agent'
import { createAgUiProvider, type AgUiProviderOptions } from 'redux-agent/adapters/ag-ui'
import { createFaultyFetch, validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { json, streamText, toSse } from '../openAI/createWire.ts'
import { toolResult } from './playAgUi.ts'
import { byId, called, createConversation, finished, interrupted, loseAfter, said, started, textOf } from './runAgUi.ts'


/** A run in which something of each kind happens. */
const whole = [
  started(),
  { type: 'STATE_SNAPSHOT', snapshot: { n: 1 } },
  { type: 'STEP_STARTED', stepName: 'think' },
  { type: 'REASONING_MESSAGE_START', messageId: 'x', role: 'reasoning' },
  { type: 'REASONING_MESSAGE_CONTENT', messageId: 'x', delta: 'Hm ' },
  { type: 'REASONING_MESSAGE_CONTENT', messageId: 'x', delta: 'so.' },
  { type: 'REASONING_MESSAGE_END', messageId: 'x' },
  { type: 'STEP_FINISHED', stepName: 'think' },
  { type: 'STEP_STARTED', stepName: 'think' },
  ...said('m1', 'Grüße, ', '世界 ', '👋 und ', 'mehr'),
  ...called('t1', 'search', '{"q":"ü"}', { parentMessageId: 'm1' }),
  { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/n', value: 2 }] },
  toolResult('t1'),
  { type: 'STEP_FINISHED', stepName: 'think' },
  { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'PLAN', content: { at: 1 } },
  ...said('m2', 'Done', '.'),
  ...said('m1', 'Und ', 'noch mehr'),
  finished('r1', { result: 1 }),
]
const framesOf = (events: readonly object[]) =>
  events.map((event, index) => `id: ${index + 1}\ndata: ${JSON.stringify(event)}\n\n`)
const resume = (replay: 'after' | 'all') => ({
  resume: {
    replay,
    request: ({ cursor }: { cursor: string }) => ({ url: `https://agent.example.com/?after=${cursor}` }),
  },
})

/** The facts of a run, without when they came. */
function factsOf(state: AgentState) {
  const { processedEvents: _, lastSequenceByRun: __, issues, ...facts } = state
  expect(issues).toEqual([])
  return JSON.parse(
    JSON.stringify(facts, (key, value: unknown) => (key === 'createdAt' || key === 'updatedAt' ? undefined : value)),
  ) as object
}

describe('the bytes of an AG-UI stream', () => {
  it('may be split anywhere, and lines may end in any way', async () => {
    const usual = createConversation([whole])
    await usual.run()
    expect(validateAgentProviderEvents(usual.provider.capabilities, usual.events)).toEqual([])
    const text = `: hello\n\n${framesOf(whole).join('')}data: [DONE]\n\n`
    for (const variant of [text, text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r'), `event: x\n${text}`]) {
      for (const size of variant === text ? [1, 3, 100_000] : [5, 100_000]) {
        const chat = createConversation([streamText(variant, size)])
        expect(await chat.run()).toEqual([])
        expect(chat.events).toEqual(usual.events)
      }
    }
  })

  it('may break after any chunk, in a frame, or by an error: it is one loss, and no word is doubled', async () => {
    const full = textOf((await played(whole)).state()).join('|')
    for (let cut = 0; cut < whole.length; cut += 1) {
      const text = toSse(whole.slice(0, cut))
      for (const answer of [streamText(text), streamText(`${text}data: {"type":"TEXT`), broken(text)]) {
        const chat = createConversation([answer])
        const failures = await chat.run()
        expect(failures).toHaveLength(1)
        expect(failures[0]).toMatchObject({ retryable: true })
        expect(chat.state().runs.r1?.status).toBe('failed')
        expect(validateAgentProviderEvents(chat.provider.capabilities, chat.events)).toEqual([])
        expect(full.startsWith(textOf(chat.state()).join('|'))).toBe(true)
      }
    }
  })

  it('are no matter once the run has ended', async () => {
    const text = toSse(whole)
    for (const rest of ['data: [DONE]\n\n', 'data: {oops\n\n', 'data: {"type":"RUN_ERROR","message":"late"}\n\n']) {
      const chat = createConversation([streamText(`${text}${rest}`)])
      expect(await chat.run()).toEqual([])
      expect(chat.state().runs.r1?.status).toBe('completed')
    }
    const chat = createConversation([broken(text)])
    expect(await chat.run()).toEqual([])
    expect(chat.state().runs.r1?.status).toBe('completed')
    const parked = createConversation([broken(toSse([started(), interrupted([{ id: 'i', reason: 'confirmation' }])]))])
    expect(await parked.run()).toEqual([])
    expect(parked.state().runs.r1?.status).toBe('running')
  })
})

describe('a resume', () => {
  it('after any chunk makes the run that it would have been, whether it goes on or replays', async () => {
    for (const replay of ['after', 'all'] as const) {
      const target = factsOf((await played(whole, resume(replay))).state())
      for (let cut = 1; cut < whole.length; cut += 1) {
        const lost = await loseAfter(streamText(framesOf(whole).slice(0, cut).join('')), resume(replay))
        expect(lost.failures).toMatchObject([{ code: 'incomplete', retryable: true }])
        const rest = framesOf(whole).slice(replay === 'after' ? cut : 0)
        const chat = createConversation([streamText(rest.join(''))], resume(replay))
        chat.restore(lost.state())
        expect(await chat.resume(lost.cursor())).toEqual([])
        expect(chat.sent[0]!.url).toBe(`https://agent.example.com/?after=${cut}`)
        expect(factsOf(chat.state()), `${replay} ${cut}`).toEqual(target)
      }
    }
  })

  it('that replays and is cut again, at every place, still says nothing twice', async () => {
    const target = factsOf((await played(whole, resume('all'))).state())
    const half = 14
    const lost = await loseAfter(streamText(framesOf(whole).slice(0, half).join('')), resume('all'))
    for (let cut = 1; cut < whole.length; cut += 4) {
      const again = [framesOf(whole).slice(0, cut).join(''), framesOf(whole).join('')].map((text) => streamText(text))
      const chat = createConversation(again, resume('all'))
      chat.restore(lost.state())
      await chat.resume(lost.cursor())
      expect(await chat.resume()).toEqual([])
      expect(factsOf(chat.state())).toEqual(target)
    }
  })

  it('finds the cursor in the events’ metadata, if the app says where', async () => {
    const events = whole.map((event, index) => ({ ...event, metadata: { seq: index + 1 } }))
    const options = { resume: { ...resume('after').resume, metadataKey: 'seq' } }
    const lost = await loseAfter(events.slice(0, 5), options)
    expect(JSON.parse(lost.cursor()!)).toEqual({ wireRunId: 'r1', cursor: '5' })
  })

  it('asks for the run by the runtime’s own name, with headers made anew', async () => {
    let token = 0
    const asked: unknown[] = []
    const chat = createConversation(
      [
        streamText(framesOf([started('srv-9'), ...whole.slice(1, 5)]).join('')),
        streamText(framesOf(whole.slice(5)).join('')),
      ],
      {
        headers: async () => ({ authorization: `Bearer ${(token += 1)}` }),
        resume: {
          request(options) {
            asked.push(options)
            return { url: '/again', method: 'POST', headers: { 'x-own': '1' }, body: '{"again":true}' }
          },
        },
      },
    )
    await chat.run(undefined, undefined, 'stop')
    await chat.resume()
    expect(asked).toEqual([{ threadId: 's1', runId: 'srv-9', cursor: '5' }])
    expect(chat.sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer 1', 'Bearer 2'])
    expect(chat.sent[1]).toMatchObject({ url: '/again', method: 'POST', body: { again: true } })
  })

  it('with a cursor of something else is refused', async () => {
    const chat = createConversation([whole], resume('after'))
    chat.restore((await loseAfter(whole.slice(0, 3))).state())
    expect(await chat.resume('odd')).toMatchObject([{ code: 'resume_unavailable' }])
  })
})

describe('what is no AG-UI stream', () => {
  it('ends the run with one clear error, which names the chunk and holds none of its content', async () => {
    const secret = 'SECRET-CONTENT'
    const bad: unknown[] = [
      `{"type":"TEXT_MESSAGE_CONTENT","delta":"${secret}`,
      secret,
      42,
      null,
      [],
      {},
      { type: 7 },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: { secret } },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: '', delta: secret },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: secret, delta: 'x' },
      { type: 'TOOL_CALL_ARGS', toolCallId: secret, delta: 'x' },
      { type: 'TOOL_CALL_START', toolCallId: secret },
      { type: 'TOOL_CALL_CHUNK', toolCallId: secret },
      { type: 'TEXT_MESSAGE_START', messageId: 'm', subagentRunId: { secret } },
      { type: 'TOOL_CALL_RESULT', toolCallId: 't', content: { secret } },
      { type: 'STATE_SNAPSHOT' },
      { type: 'STATE_DELTA', delta: secret },
      { type: 'MESSAGES_SNAPSHOT', messages: [{ role: 'user', content: secret }] },
      { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [] } },
      { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [{ message: secret }] } },
      { type: 'RUN_ERROR', code: secret },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: secret, delta: 'x' },
      { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: secret },
    ]
    for (const chunk of bad) {
      const chat = createConversation([[started(), chunk, finished()]])
      const failures = await chat.run()
      expect(failures, JSON.stringify(chunk)).toMatchObject([
        { code: 'invalid_frame', message: expect.stringMatching(/^ag-ui: chunk 1 /) },
      ])
      expect(String((failures[0] as Error).message)).not.toContain(secret)
      expect(chat.state().runs.r1).toMatchObject({ status: 'failed', error: { code: 'invalid_frame' } })
      expect(JSON.stringify(chat.state().runs)).not.toContain(secret)
      expect(validateAgentProviderEvents(chat.provider.capabilities, chat.events)).toEqual([])
    }
  })

  it('is told by status and content type', async () => {
    const page = (status: number) => new Response('<html>', { status, headers: { 'content-type': 'text/html' } })
    const cases: [Response, object][] = [
      [page(200), { code: 'content_type' }],
      [json({ ok: true }), { code: 'content_type' }],
      [json({ error: { code: 'bad_token' } }, 401), { code: 'http_status', status: 401, retryable: false }],
      [json({ detail: 'x' }, 429), { code: 'http_status', status: 429, retryable: true }],
      [page(500), { code: 'http_status', status: 500, retryable: true }],
    ]
    for (const [response, expected] of cases) {
      const chat = createConversation([response])
      expect(await chat.run()).toMatchObject([expected])
      expect(chat.state().runs.r1?.status).toBe('failed')
    }
    const nowhere = createAgUiProvider({})
    expect(nowhere.transport.kind).toBe('sse')
    const chat = createConversation([whole], { url: undefined })
    expect(await chat.run()).toHaveLength(1)
  })

  it('may have what is not known in it', async () => {
    const chat = createConversation([
      whole.flatMap((event) => [{ type: 'NEW_IN_2_0', event }, { ...event, invented: { a: 1 } }]),
    ])
    const usual = createConversation([whole])
    expect(await chat.run()).toEqual([])
    await usual.run()
    expect(factsOf(chat.state())).toEqual(factsOf(usual.state()))
  })
})

describe('any order of events', () => {
  it('is either understood or one clear error: the reducer refuses nothing, and nothing is left open', async () => {
    let seed = 7
    const random = (below: number) => (seed = (seed * 16807) % 2147483647) % below
    const pool = [...whole.slice(1, -1), started('r5'), finished(), { type: 'RUN_ERROR', message: 'x' }]
    for (let round = 0; round < 150; round += 1) {
      const events = Array.from({ length: 1 + random(25) }, () => pool[random(pool.length)]!)
      const chat = createConversation([[started(), ...events, finished()]])
      const failures = await chat.run()
      if (failures.length > 0) expect(failures).toMatchObject([{ code: 'invalid_frame' }])
      expect(chat.state().issues).toEqual([])
      if (chat.state().runs.r1?.status === 'running') continue
      expect(validateAgentProviderEvents(chat.provider.capabilities, chat.events)).toEqual([])
      expect(chat.events.filter(({ type }) => /^run\.(completed|failed|cancelled)$/.test(type))).toHaveLength(1)
      expect(chat.events.at(-1)!.type).toMatch(/^run\.(completed|failed|cancelled)$/)
    }
  })

  it('leaves nothing open where a chunk that is wrong had ended something before', async () => {
    const chat = createConversation([
      [
        started(),
        { type: 'REASONING_MESSAGE_START', messageId: 'x' },
        { type: 'REASONING_MESSAGE_CONTENT', messageId: 'x', delta: 'So' },
        { type: 'REASONING_MESSAGE_END', messageId: 'x' },
        { type: 'REASONING_MESSAGE_CONTENT', messageId: 'x', delta: ' late' },
        finished(),
      ],
    ])
    expect(await chat.run()).toMatchObject([{ code: 'invalid_frame' }])
    expect(chat.state().issues).toEqual([])
    expect(byId(chat.state().reasoning)).toMatchObject({ x: { content: 'So', status: 'completed' } })
    expect(chat.state().runs.r1).toMatchObject({ status: 'failed' })
  })

  it('that comes doubled, chunk by chunk, is no crash', async () => {
    for (let twice = 0; twice < whole.length; twice += 1) {
      const events = [...whole.slice(0, twice + 1), ...whole.slice(twice)]
      const chat = createConversation([events])
      await chat.run()
      expect(chat.state().issues).toEqual([])
      expect(byId(chat.state().messages).m2 ?? chat.state().runs.r1).toBeDefined()
    }
  })
})

it('a runtime takes the provider as it is', () => {
  const providers = [createAgUiProvider({ url: '/a' })]
  expect(() => createAgentRuntime({ reducerPath: 'agent', providers })).not.toThrow()
})

async function played(events: readonly object[], options: Partial<AgUiProviderOptions> = {}) {
  const chat = createConversation([events], options)
  await chat.run()
  return chat
}

/** A body that breaks at its end. */
function broken(text: string): Response {
  const bytes = new TextEncoder().encode(text)
  let isSent = false
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (isSent) return controller.error(new TypeError('The line broke.'))
        isSent = true
        controller.enqueue(bytes)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

it('the wire may be cut at any byte', async () => {
  const text = toSse(whole.slice(0, 14))
  const size = new TextEncoder().encode(text).length
  for (let cutAfterBytes = 1; cutAfterBytes < size; cutAfterBytes += 37) {
    const chat = createConversation([streamText(text)])
    const fetch = createFaultyFetch(async () => streamText(text), () => ({ cutAfterBytes }))
    const faulty = createConversation([], { fetch })
    expect(await faulty.run()).toHaveLength(1)
    expect(faulty.state().issues).toEqual([])
    expect(chat.sent).toEqual([])
  }
})
