import { createAgentEventFactory, replayAgentEvents, type AnyAgentProvider } from 'redux-agent'
import { createAgUiProvider } from 'redux-agent/adapters/ag-ui'
import { createAiSdkProvider } from 'redux-agent/adapters/ai-sdk'
import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { describe, expect, it } from 'vitest'
import { collectRun } from './openAI/collectRun.ts'
import { createWire, json, type WireAnswers } from './openAI/createWire.ts'

// Cursors that are none, of somebody else, or of a run that its server no longer knows.

type Make = (given: { fetch: typeof fetch; headers?: () => Promise<Record<string, string>> }) => AnyAgentProvider

const agUi: Make = (given) =>
  createAgUiProvider({
    ...given,
    url: '/agent',
    resume: { request: ({ cursor }) => ({ url: `/again?after=${encodeURIComponent(cursor)}` }) },
  })
const wires: [name: string, make: Make, cursor: string][] = [
  [
    'ai-sdk',
    (given) => createAiSdkProvider({ ...given, resume: 'replay' }),
    JSON.stringify({ chunks: 2, base: { part: 0, step: 0 }, at: { part: 1, step: 1, stepStart: 0 }, print: 7 }),
  ],
  ['ag-ui', agUi, JSON.stringify({ wireRunId: 'r1', cursor: '5' })],
  [
    'openai-responses',
    (given) => createOpenAIResponsesProvider({ ...given, background: true }),
    JSON.stringify({
      ...{ responseId: 'resp', base: 3, position: 2, number: 2, count: 0, done: [], items: [], handed: [] },
      ...{ awaited: [], approvals: [], hasTask: false, isRefused: false },
    }),
  ],
  ['run-server', (given) => createRunServerProvider(given), JSON.stringify({ seq: 3, assistantMessageId: 'm' })],
]
const junk = ['', ' ', 'x', '0', 'null', 'true', '[]', '{}', '"a"', '{"__proto__":{"seq":1}}', '{"seq":', 'é\0', 'x'.repeat(100_000)]

const events = createAgentEventFactory({ sessionId: 's1', runId: 'r1', now: () => 1000 })
const known = [
  events.create('run.started', {}),
  events.create('message.started', { messageId: 'm', role: 'assistant' }),
  events.create('message.delta', { messageId: 'm', delta: 'So far' }),
]

describe.each(wires)('a resume by %s', (name, make, own) => {
  async function resume(cursor: string, answers: WireAnswers, more: Partial<Parameters<Make>[0]> = {}) {
    const { fetch, sent } = createWire(...answers)
    const provider = make({ fetch, ...more })
    const initialState = replayAgentEvents(known)
    const options = { input: { message: 'Hi' }, cursor, initialState, initialSequence: 2, decide: 'stop' as const }
    const { failures, state, events: brought } = await collectRun(provider, options)
    expect(state.issues).toEqual([])
    expect(failures).toHaveLength(1)
    const [failure] = failures as [Error]
    expect(failure).toMatchObject({ name: 'AgentTransportError', adapter: name })
    expect(failure.message).toMatch(new RegExp(`^${name}\\b`))
    // What was known stands as it was.
    expect(brought).toEqual([])
    expect(state.messages).toEqual(initialState.messages)
    return { failure, sent }
  }

  it('from what is no cursor asks nothing, and cannot be', async () => {
    const others = wires.flatMap(([other, , cursor]) => (other === name ? [] : [cursor]))
    const parsed = JSON.parse(own) as Record<string, unknown>
    const lacking = Object.keys(parsed).map((field) => JSON.stringify({ ...parsed, [field]: undefined }))
    const wrong = Object.keys(parsed).map((field) => JSON.stringify({ ...parsed, [field]: { wrong: 1 } }))
    for (const cursor of [...junk, ...others, ...lacking, ...wrong]) {
      const { failure, sent } = await resume(cursor, [json({})])
      expect(failure, cursor.slice(0, 80)).toMatchObject({ code: 'resume_unavailable', retryable: false })
      expect(failure.message.length).toBeLessThan(200)
      expect(sent).toEqual([])
    }
  })

  it.each([
    [404, false],
    [409, false],
    [410, false],
    [401, false],
    [429, true],
    [503, true],
  ])('that the server answers with %i is one clear error (may be tried again: %s)', async (status, retryable) => {
    const { failure } = await resume(own, [json({ error: { code: 'gone', message: 'words' } }, status)])
    expect(failure).toMatchObject({ status, retryable })
    expect(failure.message).not.toContain('words')
  })

  it('that a page answers, or nothing, is one clear error', async () => {
    const page = new Response('<html>words', { headers: { 'content-type': 'text/html' } })
    expect((await resume(own, [page])).failure).toMatchObject({ code: 'content_type' })
    const empty = (await resume(own, [new Response(null, { status: 204 })])).failure
    expect(empty).toMatchObject({ retryable: false })
    expect((await resume(own, [[]])).failure.message).not.toContain('words')
  })

  it('asks for its headers anew each time, and says so where they cannot be had', async () => {
    let token = 0
    const seen: (string | null)[] = []
    const headers = async () => ({ authorization: `Bearer ${(token += 1)}` })
    const provider = make({
      headers,
      fetch: async (_url, init) => {
        seen.push(new Headers(init?.headers).get('authorization'))
        return json({}, 503)
      },
    })
    const initialState = replayAgentEvents(known)
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await collectRun(provider, { input: { message: 'Hi' }, cursor: own, initialState, initialSequence: 2, decide: 'stop' })
    }
    expect(seen).toEqual(['Bearer 1', 'Bearer 2', 'Bearer 3'])
    const refused = await resume(own, [json({})], { headers: () => Promise.reject(new Error('The token words.')) })
    expect(refused.failure).toMatchObject({ code: 'request_failed', retryable: true })
    expect(refused.sent).toEqual([])
  })
})
