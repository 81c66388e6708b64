import { replayAgentEvents, runAgentProvider, createAgentEventFactory } from 'redux-agent'
import { createAiSdkProvider, toUIMessages } from 'redux-agent/adapters/ai-sdk'
import { describe, expect, it } from 'vitest'
import { createAiServer, finish, say, streamOf } from './createAiServer.ts'
import { createHeadlessRun } from './runHeadless.ts'

const answered = () => createAiServer({ version: 7, steps: [[...say('Yes.'), finish()]] })

describe('a request', () => {
  it('tells what the person said, with files, metadata and the app’s own fields, under its run’s key', async () => {
    const server = answered()
    const run = createHeadlessRun({
      fetch: server.fetch,
      body: ({ sessionId }) => ({ tenant: sessionId }),
      getHistory: () => [{ id: 'h1', role: 'assistant', parts: [{ type: 'text', text: 'Hello.' }] }],
    })
    await run.start({
      message: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', data: 'aGk=', mediaType: 'image/jpeg' },
        { type: 'image', url: 'https://example.com/a.png' },
        { type: 'file', url: 'https://example.com/a.pdf', mediaType: 'application/pdf', name: 'a.pdf' },
      ],
      messageId: 'u1',
      metadata: { at: 1 },
      body: { model: 'm' },
    })
    const { url, headers, body } = server.requests[0]!
    expect(url).toBe('https://chat.example.com/api/chat')
    expect(headers.get('idempotency-key')).toBe('r1')
    const { messages, ...rest } = body
    expect(rest).toEqual({ id: 's1', trigger: 'submit-message', idempotencyKey: 'r1', model: 'm', tenant: 's1' })
    const said = {
      id: 'u1',
      role: 'user',
      metadata: { at: 1 },
      parts: [
        { type: 'text', text: 'What is this?' },
        { type: 'file', mediaType: 'image/jpeg', url: 'data:image/jpeg;base64,aGk=' },
        { type: 'file', mediaType: 'image/png', url: 'https://example.com/a.png' },
        { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', url: 'https://example.com/a.pdf' },
      ],
    }
    expect(messages.map(({ id }) => id)).toEqual(['h1', 'u1'])
    expect(messages[1]).toEqual(said)
    expect(run.messages()[0]).toEqual(said)
    expect(server.prompts).toHaveLength(1)
  })

  it('may be changed before it is sent', async () => {
    const server = answered()
    const run = createHeadlessRun({
      fetch: server.fetch,
      prepareRequest: async ({ url, body, headers }) => ({
        url: `${url}?v=2`,
        headers: { ...headers, 'x-chat': body.id },
        body: { ...body, messages: body.messages.slice(-1), only: 'last' },
      }),
    })
    await run.start()
    const { url, headers, body } = server.requests[0]!
    expect(url).toBe('https://chat.example.com/api/chat?v=2')
    expect(headers.get('x-chat')).toBe('s1')
    expect(body).toMatchObject({ only: 'last', idempotencyKey: 'r1' })
  })

  it('whose making fails is no request', async () => {
    const run = createHeadlessRun({
      fetch: async () => streamOf([]),
      headers: () => Promise.reject(new Error('No token.')),
    })
    await run.start()
    expect(run.state().runs.r1?.error).toMatchObject({ code: 'request_failed', retryable: true })
  })

  it('of a run that makes an answer anew leaves that one out, now and later', async () => {
    const requests: { trigger: string; messages: { id: string }[] }[] = []
    const provider = createAiSdkProvider({
      api: 'https://chat.example.com/api/chat',
      fetch: async (_, init) => {
        requests.push(JSON.parse(init!.body as string) as never)
        const chunks = [{ type: 'start', messageId: `a${requests.length}` }, { type: 'text-delta', id: 't', delta: 'x' }]
        return streamOf([...chunks, { type: 'finish', finishReason: 'stop' }])
      },
    })
    let state = replayAgentEvents([])
    const ask = async (runId: string, input: object) => {
      const events: Parameters<typeof replayAgentEvents>[0][number][] = []
      const run = { sessionId: 's1', runId, getAgentState: () => replayAgentEvents([...all, ...events]) }
      await runAgentProvider({ provider, input, run, onEvent: (event) => events.push(event) })
      all.push(...events)
      state = replayAgentEvents(all)
    }
    const all: Parameters<typeof replayAgentEvents>[0][number][] = []
    await ask('r1', { message: 'One' })
    await ask('r2', { message: 'Two' })
    await ask('r3', { message: 'Two, please', regenerates: 'r2' })
    await ask('r4', { message: 'Three' })
    const ids = requests.map(({ messages }) => messages.map(({ id }) => id))
    expect(ids[1]).toEqual(['r1:user', 'a1', 'r2:user'])
    expect(ids[2]).toEqual(['r1:user', 'a1', 'r3:user'])
    expect(ids[3]).toEqual(['r1:user', 'a1', 'r3:user', 'a3', 'r4:user'])
    expect(requests.map(({ trigger }) => trigger)).toEqual([
      'submit-message',
      'submit-message',
      'regenerate-message',
      'submit-message',
    ])
    expect(toUIMessages(state, { sessionId: 'other' })).toEqual([])
    expect(toUIMessages(state, { without: ['r4'] }).at(-1)!.id).toBe('a3')
  })

  it('tells what another provider said as plain messages', () => {
    const { create } = createAgentEventFactory({ sessionId: 's1', runId: 'r9' })
    const state = replayAgentEvents([
      create('run.started', {}),
      create('message.started', { messageId: 's', role: 'system', content: 'Be kind.' }),
      create('message.started', { messageId: 'u', role: 'user', content: 'Hi' }),
      create('message.started', { messageId: 'a', role: 'assistant', content: [{ type: 'my.chart', data: [1] }] }),
      create('message.started', { messageId: 't', role: 'tool', content: 'raw' }),
      create('reasoning.started', { reasoningId: 'r' }),
    ])
    expect(toUIMessages(state)).toEqual([
      { id: 's', role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] },
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
      { id: 'a', role: 'assistant', parts: [{ type: 'data-my.chart', data: [1] }] },
    ])
  })
})

describe('a resume', () => {
  const chunks = [
    { type: 'start', messageId: 'm1' },
    { type: 'text-delta', id: 't', delta: 'One' },
    { type: 'text-delta', id: 't', delta: 'Two' },
    { type: 'finish', finishReason: 'stop' },
  ]

  async function lose(resume: 'replay' | 'startIndex', again: (url: string, init?: RequestInit) => Response, more = {}) {
    const requests: [string, Headers][] = []
    let token = 0
    const run = createHeadlessRun({
      resume,
      headers: async () => ({ authorization: `Bearer ${(token += 1)}` }),
      fetch: async (url, init) => {
        requests.push([String(url), new Headers(init?.headers)])
        const headers = { 'x-workflow-run-id': 'w/1' }
        if (requests.length === 1) return streamOf(chunks.slice(0, 2), { done: false, headers })
        return again(String(url), init)
      },
      ...more,
    })
    await run.begin()
    expect(run.loss()).toMatchObject({ code: 'incomplete' })
    await run.resume()
    return { run, requests }
  }

  it('asks with a fresh token at the session’s stream, or at the server’s own run', async () => {
    const replay = await lose('replay', () => streamOf(chunks))
    expect(replay.requests[1]![0]).toBe('https://chat.example.com/api/chat/s1/stream')
    expect(replay.requests[1]![1].get('authorization')).toBe('Bearer 2')
    const index = await lose('startIndex', () => streamOf(chunks.slice(2)))
    expect(index.requests[1]![0]).toBe('https://chat.example.com/api/chat/w%2F1/stream?startIndex=2')
    const getResumeUrl = ({ serverRunId }: { serverRunId?: string }) => `https://e.com/again?run=${serverRunId}`
    const own = await lose('startIndex', () => streamOf(chunks.slice(2)), { getResumeUrl })
    expect(own.requests[1]![0]).toBe('https://e.com/again?run=w/1&startIndex=2')
    for (const { run } of [replay, index, own]) {
      expect(run.state().runs.r1?.status).toBe('completed')
      expect(run.messages()[1]!.parts).toMatchObject([{ text: 'OneTwo' }])
    }
  })

  it.each([
    ['nothing is active', () => new Response(null, { status: 204 })],
    ['another message is', () => streamOf([{ type: 'start', messageId: 'm2' }, ...chunks.slice(1)])],
    ['the stream has other words', () => streamOf([chunks[0], { ...chunks[1], delta: 'Uno' }, ...chunks.slice(2)])],
    ['the stream is shorter', () => streamOf(chunks.slice(0, 1))],
  ])('where %s is refused, and the run is as it was', async (_, again) => {
    const { run } = await lose('replay', again)
    expect(run.loss()).toMatchObject({ code: 'resume_unavailable', retryable: false })
    expect(run.state().runs.r1?.status).toBe('running')
    expect(run.messages()[1]!.parts).toMatchObject([{ text: 'One' }])
  })

  it('with a cursor of another kind is refused', async () => {
    const run = createHeadlessRun({ resume: 'replay', fetch: async () => streamOf(chunks.slice(0, 2), { done: false }) })
    await run.begin()
    for (const cursor of ['', '{}', '{"chunks":-1}', 'x'.repeat(50)]) {
      await run.resume(cursor)
      expect(run.loss()).toMatchObject({ code: 'resume_unavailable' })
    }
  })

  it('has no cursor where the server says no id to go on by', async () => {
    const run = createHeadlessRun({
      resume: 'startIndex',
      fetch: async () => streamOf(chunks.slice(0, 2), { done: false }),
    })
    await run.begin()
    expect(run.cursor()).toBeUndefined()
  })

  it('tells transient data once', async () => {
    const told: unknown[] = []
    const note = (data: number) => ({ type: 'data-note', data, transient: true })
    const all = [chunks[0], note(1), chunks[1], note(2), ...chunks.slice(2)]
    let requests = 0
    const run = createHeadlessRun({
      resume: 'replay',
      onTransientData: ({ data }) => told.push(data),
      fetch: async () => ((requests += 1) === 1 ? streamOf(all.slice(0, 3), { done: false }) : streamOf(all)),
    })
    await run.begin()
    await run.resume()
    expect(told).toEqual([1, 2])
    expect(run.state().runs.r1?.status).toBe('completed')
  })
})
