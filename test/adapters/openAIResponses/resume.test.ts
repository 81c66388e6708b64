import { AgentTransportError, replayAgentEvents } from 'redux-agent'
import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { createFaultyFetch, validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from '../../store/createHarness.ts'
import { collectRun } from '../openAI/collectRun.ts'
import { createWire, json, streamText, toSse, type SentRequest, type WireAnswer } from '../openAI/createWire.ts'
import { createLongScript } from './createLongScript.ts'
import { withoutNumbers } from './createResponseScript.ts'

expectSilentConsole()

const script = createLongScript()
const input = { message: 'Hello' }

/** A service that makes responses in the background: each is there to be followed after any of its events. */
function serve(
  chunks: readonly Record<string, unknown>[],
  cut: (index: number) => number | undefined = () => undefined,
) {
  let index = -1
  return createWire(({ url, method }): WireAnswer => {
    index += 1
    const after = method === 'GET' ? Number(new URL(url).searchParams.get('starting_after')) : -1
    return chunks.filter(({ sequence_number: number }) => (number as number) > after).slice(0, cut(index))
  })
}

const createProvider = (wire: { fetch: typeof fetch }, options = {}) =>
  createOpenAIResponsesProvider({
    baseUrl: 'https://api.example.com/v1',
    background: true,
    ...options,
    fetch: wire.fetch,
  })

const provide = (chunks: readonly Record<string, unknown>[] = script) => createProvider(serve(chunks))

describe('a response in the background', () => {
  it('says that it can be resumed and cancelled; another one says that it cannot', () => {
    const plain = createOpenAIResponsesProvider()
    expect(plain.capabilities).toMatchObject({ resumable: false, commands: ['approval.resolve'] })
    expect(plain.transport.resume).toBeUndefined()
    expect(plain.transport.getCursor).toBeUndefined()
    const background = createOpenAIResponsesProvider({ background: true })
    expect(background.capabilities).toMatchObject({ resumable: true, commands: ['approval.resolve', 'run.cancel'] })
    expect(background.transport.resume).toBeTypeOf('function')
  })

  it('is the same whole from any of its cursors on', async () => {
    const whole = await collectRun(provide(), { input })
    expect(validateAgentProviderEvents(provide().capabilities, whole.events)).toEqual([])
    expect(whole.cursors.length).toBe(script.length - 1)
    for (const { cursor, events: count } of whole.cursors) {
      const seen = whole.events.slice(0, count)
      const initialSequence = seen.at(-1)!.sequence
      const rest = await collectRun(provide(), {
        input,
        cursor,
        initialSequence,
        initialState: replayAgentEvents(seen),
      })
      expect([...seen, ...rest.events]).toEqual(whole.events)
      expect(rest.state).toEqual(whole.state)
    }
  })

  it('absorbs what was applied beyond the cursor', async () => {
    const whole = await collectRun(provide(), { input })
    for (const [index, { cursor }] of whole.cursors.slice(0, -1).entries()) {
      const seen = whole.events.slice(0, whole.cursors[index + 1]!.events)
      const initialSequence = seen.at(-1)!.sequence
      const rest = await collectRun(provide(), {
        input,
        cursor,
        initialSequence,
        initialState: replayAgentEvents(seen),
      })
      expect(rest.state).toEqual(whole.state)
      expect(rest.state.issues).toEqual([])
    }
  })

  it('that is over is whole by its last event alone', async () => {
    const whole = await collectRun(provide(), { input })
    for (const { cursor, events: count } of whole.cursors) {
      const seen = whole.events.slice(0, count)
      const late = createProvider(createWire([script.at(-1)]))
      const rest = await collectRun(late, {
        ...{ input, cursor, initialSequence: seen.at(-1)!.sequence, initialState: replayAgentEvents(seen) },
      })
      expect(rest.state.issues).toEqual([])
      expect(rest.state.runs.r1?.status).toBe('completed')
      // Nothing is said twice, and what never streamed comes all the same.
      const [, answer] = Object.values(rest.state.messages)
      expect(answer?.content).toEqual(Object.values(whole.state.messages)[1]?.content)
      expect(Object.values(rest.state.reasoning).map(({ content }) => content)).toEqual(['Hm, so.'])
      expect(Object.values(rest.state.toolCalls).map(({ arguments: text }) => text)).toEqual(
        Object.values(whole.state.toolCalls).map(({ arguments: text }) => text),
      )
    }
  })

  it('asks for what comes after the cursor, with headers that are fetched anew', async () => {
    const sent: SentRequest[] = []
    const wire = createWire((request) => {
      sent.push(request)
      return script
    })
    let tokens = 0
    const headers = async () => ({ authorization: `Bearer ${(tokens += 1)}` })
    const provider = createProvider(wire, { url: 'https://api.example.com/openai/responses?api-version=2', headers })
    const { cursors } = await collectRun(provider, { input })
    await collectRun(provider, { input, runId: 'r2', cursor: cursors[7]!.cursor })
    expect(sent.map(({ method, url }) => [method, url])).toEqual([
      ['POST', 'https://api.example.com/openai/responses?api-version=2'],
      ['GET', 'https://api.example.com/openai/responses/resp_1?api-version=2&stream=true&starting_after=7'],
    ])
    expect(sent[0]!.body).toMatchObject({ background: true, stream: true })
    expect(sent.map((request) => request.headers.get('authorization'))).toEqual(['Bearer 1', 'Bearer 2'])
  })

  it.each(['', '{}', 'x', '{"base":1}'])('refuses a cursor that is not its own: %j', async (cursor) => {
    const { failures } = await collectRun(provide(), { input, cursor, decide: 'stop' })
    expect(failures[0]).toMatchObject({ code: 'resume_unavailable' })
  })

  it('has no cursor where the service numbers nothing', async () => {
    const wire = createWire(withoutNumbers(script))
    const { cursors, state } = await collectRun(createProvider(wire), { input })
    expect(cursors).toEqual([])
    expect(state.runs.r1?.status).toBe('completed')
  })
})

describe('in a store', () => {
  async function follow(wire: { fetch: typeof fetch }, options = {}) {
    const provider = createProvider(wire, options)
    const harness = createHarness({ providers: [provider], reconnect: { maxAttempts: 3 }, ids: ['r1'] })
    const task = harness.store.dispatch(harness.agent.actions.startRun({ sessionId: 's1', provider, input }))
    async function settle() {
      for (let count = 0; count < 60 && harness.state().runs.r1?.status !== 'completed'; count += 1) {
        await endOfTask()
        harness.fireFrame()
        harness.fireAllTimers()
      }
      await task.unwrap().catch(() => undefined)
    }
    return { ...harness, provider, task, settle }
  }

  it('a stream that breaks after any chunk is taken up again', async () => {
    const whole = await follow(serve(script))
    await whole.settle()
    expect(whole.state().runs.r1?.status).toBe('completed')
    for (let count = 1; count < script.length; count += 3) {
      const wire = serve(script, (index) => (index < 2 ? count : undefined))
      const run = await follow(wire)
      await run.settle()
      expect(run.state()).toEqual(whole.state())
      expect(wire.sent[1]?.method).toBe('GET')
    }
  })

  it('a stream that breaks at any byte is taken up again', async () => {
    const whole = await follow(serve(script))
    await whole.settle()
    const { length } = new TextEncoder().encode(toSse(script))
    for (let at = 400; at < length; at += 331) {
      const { fetch } = serve(script)
      const run = await follow({
        fetch: createFaultyFetch(fetch, (index) => (index === 0 ? { cutAfterBytes: at } : {})),
      })
      await run.settle()
      expect(run.state()).toEqual(whole.state())
    }
  })

  it('a lost connection is no failed run, and may be taken up again by hand', async () => {
    const refused = await follow(createWire(script.slice(0, 8), json({ error: { code: 'not_found' } }, 404)))
    await refused.settle()
    expect(refused.connection('r1')).toMatchObject({ state: 'unrecoverable' })
    expect(refused.state().runs.r1?.status).toBe('running')
    const down = () => json({}, 503)
    const { fetch } = serve(script)
    const wire = createWire(script.slice(0, 8), down, down, down, down)
    let isUp = false
    const spent = await follow({ fetch: (...request) => (isUp ? fetch(...request) : wire.fetch(...request)) })
    await spent.settle()
    expect(spent.connection('r1')).toMatchObject({ state: 'failed', canResume: true })
    expect(spent.state().runs.r1?.status).toBe('running')
    isUp = true
    await spent.store.dispatch(spent.agent.actions.resumeRun({ runId: 'r1' })).unwrap()
    expect(spent.state().runs.r1?.status).toBe('completed')
    expect(spent.state().issues).toEqual([])
  })
})

describe('a response that is not in the background', () => {
  const plain = (answer: WireAnswer | typeof fetch) =>
    createOpenAIResponsesProvider({ fetch: typeof answer === 'function' ? answer : createWire(answer).fetch })

  async function run(answer: WireAnswer | typeof fetch) {
    const provider = plain(answer)
    const result = await collectRun(provider, { input })
    expect(validateAgentProviderEvents(provider.capabilities, result.events)).toEqual([])
    expect(result.state.issues).toEqual([])
    return { ...result, end: result.events.at(-1)! }
  }

  it('fails where its stream is cut, after each chunk, by one clear error', async () => {
    for (let count = 0; count < script.length; count += 1) {
      const { end } = await run(script.slice(0, count))
      expect(end).toMatchObject({ type: 'run.failed', payload: { error: { code: 'incomplete', retryable: true } } })
      const done = await run([...script.slice(0, count), '[DONE]'])
      expect(done.end.type).toBe('run.failed')
    }
    expect((await run(script)).end.type).toBe('run.completed')
  })

  it('is read whole however its bytes are split, and fails at any byte where it breaks', async () => {
    const { state } = await run(script)
    for (const size of [1, 3, 64]) expect((await run(streamText(toSse(script), size))).state).toEqual(state)
    const { length } = new TextEncoder().encode(toSse(script))
    for (let at = 0; at < length - 2; at += 97) {
      const { end } = await run(createFaultyFetch(createWire(script).fetch, () => ({ cutAfterBytes: at })))
      expect(end).toMatchObject({ type: 'run.failed', payload: { error: { code: 'network' } } })
    }
  })

  it.each([401, 429, 500])('fails by status %i with the code alone', async (status) => {
    const { end } = await run(json({ error: { code: 'some_code', message: 'secret' } }, status))
    expect(end).toMatchObject({
      type: 'run.failed',
      payload: { error: { message: `openai-responses: The server answered with status ${status} (some_code), not 200.` } },
    })
  })

  it('fails by a page that says 200', async () => {
    const page = new Response('<html>secret</html>', { headers: { 'content-type': 'text/html' } })
    expect((await run(page)).end).toMatchObject({ type: 'run.failed', payload: { error: { code: 'content_type' } } })
  })

  it.each([
    { frame: '{"type": secret', what: 'is not JSON' },
    { frame: ['secret'], what: 'is no event of a response' },
    { frame: '"secret"', what: 'is no event of a response' },
    {
      frame: { type: 'response.output_text.delta', item_id: 'm', delta: { secret: 1 } },
      what: 'is no event of a response',
    },
    { frame: { type: 'response.output_item.added', item: 'secret' }, what: 'is no event of a response' },
    { frame: { type: 'response.completed', response: 'secret' }, what: 'is no event of a response' },
  ])('fails by a frame that $what, and names it by its number', async ({ frame, what }) => {
    const { end, failures } = await run([...script.slice(0, 3), frame, ...script.slice(3)])
    expect(failures[0]).toBeInstanceOf(AgentTransportError)
    const { error } = end.payload as { error: { code: string; message: string } }
    expect(error.code).toBe('invalid_frame')
    expect(error.message).toBe(`openai-responses: chunk 3 of the stream ${what}.`)
    expect(JSON.stringify(end)).not.toContain('secret')
  })
})
