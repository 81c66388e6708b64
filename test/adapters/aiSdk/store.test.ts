import { createMemoryAgentCheckpointStorage } from 'redux-agent'
import { createAiSdkProvider, toUIMessages, type AiSdkProviderOptions } from 'redux-agent/adapters/ai-sdk'
import { createFaultyFetch, createGate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from '../../store/createHarness.ts'
import { finished, said } from './chunks.ts'
import {
  call,
  createAiServer,
  finish,
  say,
  streamOf,
  versions,
  type AiServerOptions,
  type ModelPart,
} from './createAiServer.ts'

expectSilentConsole()

const go = (...parts: (ModelPart | ModelPart[])[]) => parts.flat()
const both = go(
  say('May I?'),
  call('deploy', { city: 'Rome' }, 'a'),
  call('deploy', { city: 'Oslo' }, 'b'),
  finish('tool-calls'),
)
const done = go(say('Done.'), finish())

/** A page: a store with a runtime, on a server that outlives it. */
function createPage(
  server: ReturnType<typeof createAiServer>,
  options: Partial<Parameters<typeof createHarness>[0]> & { provider?: AiSdkProviderOptions; id?: string } = {},
) {
  const { provider: more, id = 'r1', ...rest } = options
  const provider = createAiSdkProvider({
    api: 'https://chat.example.com/api/chat',
    fetch: server.fetch,
    getStopUrl: () => 'https://chat.example.com/stop',
    ...more,
  })
  const page = createHarness({ providers: [provider], ids: [id], frames: false, ...rest })
  const { actions } = page.agent
  const waiting = () => Object.values(page.state().approvals).filter(({ status }) => status === 'waiting')
  return {
    ...page,
    ask: (message: string) =>
      page.store.dispatch(actions.startRun({ sessionId: 's1', provider, input: { message } })),
    answer(toolCallId: string, decision: 'approved' | 'rejected' | 'modified' = 'approved', data?: unknown) {
      const approvalId = waiting().find((approval) => approval.toolCallId === toolCallId)!.id
      return page.store
        .dispatch(actions.resolveApproval({ runId: 'r1', approvalId, decision, ...(data !== undefined && { data }) }))
        .unwrap()
    },
    cancel: () => page.store.dispatch(actions.cancelRun({ runId: 'r1' })).unwrap(),
    waiting,
    run: () => page.state().runs.r1,
    messages: () => toUIMessages(page.state()),
    /** Lets what is under way come to its end, whatever turns of the event loop it takes. */
    async settle(until: () => boolean) {
      for (let turn = 0; turn < 2000 && !until(); turn += 1) await endOfTask()
      expect(until()).toBe(true)
    },
  }
}

const serve = (options: Omit<AiServerOptions, 'version'>) => createAiServer({ version: 7, ...options })

describe('in a store', () => {
  it('a run parks at its approvals and goes on with the last answer as its main wire', async () => {
    const server = serve({ steps: [both, done] })
    const page = createPage(server)
    await page.ask('Deploy.').unwrap()
    expect(page.connection('r1')).toMatchObject({ state: 'idle', detached: false })
    expect(page.run()?.status).toBe('running')
    await page.answer('a')
    expect(page.waiting()).toHaveLength(2)
    await page.answer('b', 'rejected', 'Not there.')
    await page.settle(() => page.run()?.status === 'completed')
    expect(server.runs).toEqual(['deploy Rome'])
    expect(page.commands().map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    expect(page.state().issues).toEqual([])
    expect(page.connection('r1')?.state).toBe('idle')
  })

  it('the next message tells all that was said', async () => {
    const server = serve({ steps: [both, done, go(say('Also done.'), finish())] })
    const page = createPage(server)
    await page.ask('Deploy.').unwrap()
    await page.answer('a')
    await page.answer('b')
    await page.settle(() => page.run()?.status === 'completed')
    const before = JSON.parse(JSON.stringify(page.messages())) as unknown[]
    await page.ask('And now?').unwrap()
    const { messages } = server.requests.at(-1)!.body
    expect(messages.slice(0, -1)).toEqual(before)
    expect(messages.at(-1)).toMatchObject({ role: 'user', parts: [{ type: 'text', text: 'And now?' }] })
    const converted = await server.ai.convertToModelMessages(structuredClone(messages) as never)
    expect(converted.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
  })

  it('an answer of which nothing comes leaves the question, and is sent again under its key', async () => {
    let failures = 1
    const server = serve({
      steps: [both, done],
      answer: (_, index) => (index === 1 && failures-- > 0 ? new Response(null, { status: 503 }) : undefined),
    })
    const page = createPage(server)
    await page.ask('Deploy.').unwrap()
    await page.answer('a')
    await expect(page.answer('b')).rejects.toMatchObject({ code: 'http_status' })
    expect(page.waiting()).toHaveLength(2)
    expect(page.run()?.status).toBe('running')
    await page.answer('b')
    await page.settle(() => page.run()?.status === 'completed')
    const keys = server.requests.slice(1).map(({ body }) => body.idempotencyKey)
    expect(keys[1]).toBe(keys[0])
    expect(server.runs).toEqual(['deploy Rome', 'deploy Oslo'])
  })

  it('a run whose stream goes on with answers that came meanwhile keeps one wire', async () => {
    const gate = createGate()
    const server = serve({
      steps: [go(call('deploy', { city: 'Rome' }, 'a'), call('weather', { city: 'Rome' }), finish('tool-calls')), done],
    })
    Object.assign(server.tools.weather, {
      async execute() {
        await gate.pass(new AbortController().signal)
        return 'warm'
      },
    })
    const page = createPage(server)
    const task = page.ask('Deploy.')
    await page.settle(() => page.waiting().length === 1)
    await page.answer('a')
    expect(server.requests).toHaveLength(1)
    gate.open()
    await task.unwrap()
    expect(page.run()?.status).toBe('completed')
    expect(page.connections().filter((state) => state === 'connected')).toHaveLength(1)
    expect(page.state().issues).toEqual([])
  })

  it('answers that the server does not go on from, on a wire that was open, are asked for again', async () => {
    const gate = createGate()
    const server = serve({
      steps: [go(call('deploy', { city: 'Rome' }, 'a'), call('weather', { city: 'Rome' }), finish('tool-calls')), done],
      answer: (_, index) => (index === 1 ? new Response(null, { status: 500 }) : undefined),
    })
    Object.assign(server.tools.weather, {
      async execute() {
        await gate.pass(new AbortController().signal)
        return 'warm'
      },
    })
    const page = createPage(server)
    const task = page.ask('Deploy.')
    await page.settle(() => page.waiting().length === 1)
    await page.answer('a')
    gate.open()
    await task
    expect(page.connection('r1')).toMatchObject({ state: 'unrecoverable', error: { code: 'refused' } })
    expect(page.run()?.status).toBe('running')
    await page.answer('a')
    await page.settle(() => page.run()?.status === 'completed')
    expect(server.runs).toEqual(['deploy Rome'])
    expect(page.state().issues).toEqual([])
  })

  it('is cancelled by the app’s endpoint, also while it streams', async () => {
    const gate = createGate()
    const server = serve({
      steps: [go(call('weather', { city: 'Rome' }), finish('tool-calls')), done],
      answer: ({ url }) => (url.endsWith('/stop') ? new Response(null, { status: 204 }) : undefined),
    })
    Object.assign(server.tools.weather, { execute: () => gate.pass(new AbortController().signal) })
    const page = createPage(server)
    const task = page.ask('Weather?')
    await page.settle(() => Object.keys(page.state().toolCalls).length === 1)
    await page.cancel()
    gate.open()
    await task
    expect(page.run()).toMatchObject({ status: 'cancelled' })
    expect(Object.values(page.state().toolCalls)[0]).toMatchObject({ status: 'cancelled' })
    expect(page.state().issues).toEqual([])
    expect(page.connection('r1')?.state).toBe('idle')
  })
})

describe('a stream that is cut', () => {
  const words = 'A long answer, in many small pieces.'
  const chunks = [
    { type: 'start', messageId: 'm1' },
    { type: 'start-step' },
    ...said('t', ...words.split(/(?= )/)),
    ...finished(),
  ]

  /** The stream of the first request breaks; the server replays it whole. */
  function createCutServer() {
    const server = serve({ steps: [], answer: () => streamOf(chunks) })
    const fetch = createFaultyFetch(server.fetch, (index) => (index === 0 ? { cutAfterBytes: 300 } : {}))
    return { server, provider: { fetch, resume: 'replay' as const } }
  }

  it('is taken up again by a replay, and no word is doubled', async () => {
    const { server, provider } = createCutServer()
    const page = createPage(server, { provider })
    const task = page.ask('Go on.')
    await page.settle(() => page.connection('r1')?.state === 'reconnecting')
    page.fireAllTimers()
    await task.unwrap()
    expect(page.run()?.status).toBe('completed')
    expect(page.messages().at(-1)!.parts).toMatchObject([
      { type: 'step-start' },
      { text: words },
    ])
    expect(page.state().issues).toEqual([])
  })

  it.each(['replay', undefined] as const)('after an answer is the run’s loss, not the command’s (%s)', async (resume) => {
    const asked = [
      { type: 'start', messageId: 'm1' },
      { type: 'start-step' },
      { type: 'tool-input-available', toolCallId: 'a', toolName: 'deploy', input: {} },
      { type: 'tool-approval-request', approvalId: 'q', toolCallId: 'a' },
      ...finished('tool-calls'),
    ]
    const answered = [chunks[0], { type: 'tool-output-available', toolCallId: 'a', output: 1 }, ...chunks.slice(1)]
    const server = serve({
      steps: [],
      answer: (_, index) => (index === 0 ? streamOf(asked) : streamOf(answered)),
    })
    const fetch = createFaultyFetch(server.fetch, (index) => (index === 1 ? { cutAfterBytes: 380 } : {}))
    const page = createPage(server, { provider: { fetch, resume } })
    await page.ask('Go on.').unwrap()
    await page.answer('a')
    expect(page.commands()[0]?.status).toBe('succeeded')
    if (resume) {
      await page.settle(() => page.connection('r1')?.state === 'reconnecting')
      page.fireAllTimers()
    }
    await page.settle(() => page.run()?.status === (resume ? 'completed' : 'failed'))
    expect(page.state().issues).toEqual([])
    expect(Object.values(page.state().messages).every(({ status }) => status !== 'streaming')).toBe(true)
    const said = page.messages().at(-1)!.parts.at(-1)!.text as string
    expect(said).toMatch(/^A long/)
    expect(words.startsWith(said)).toBe(true)
    expect(said === words).toBe(resume !== undefined)
  })

  it('is taken up again by the page after a reload', async () => {
    const { server, provider } = createCutServer()
    const checkpointStorage = createMemoryAgentCheckpointStorage()
    const first = createPage(server, { provider, checkpointStorage })
    await first.store.dispatch(first.agent.actions.openSession({ sessionId: 's1' })).unwrap()
    void first.ask('Go on.')
    await first.settle(() => first.connection('r1')?.state === 'reconnecting')
    first.hide()
    for (let turn = 0; turn < 20; turn += 1) await endOfTask()
    const second = createPage(server, { provider, checkpointStorage, id: 'r2' })
    await second.store.dispatch(second.agent.actions.openSession({ sessionId: 's1' })).unwrap()
    await second.settle(() => second.run()?.status === 'completed')
    expect(second.messages().at(-1)!.parts).toMatchObject([{}, { text: words }])
    expect(second.state().issues).toEqual([])
  })

  it('is lost where the server has no way back, and says so', async () => {
    const { server, provider } = createCutServer()
    const page = createPage(server, { provider: { ...provider, resume: undefined } })
    await page.ask('Go on.')
    expect(page.connection('r1')).toMatchObject({ state: 'failed', error: { code: 'network' } })
    expect(page.run()).toMatchObject({ status: 'failed', error: { code: 'network' } })
  })
})

describe('over a reload', () => {
  async function leave(page: ReturnType<typeof createPage>) {
    page.hide()
    await page.settle(() => page.waiting().length > 0)
    for (let turn = 0; turn < 20; turn += 1) await endOfTask()
  }

  /** A page that asks and goes with `before` on it, and the next one, which opens the session that the first one left. */
  async function leaveAndReturn(server: Parameters<typeof createPage>[0], prompt: string) {
    const checkpointStorage = createMemoryAgentCheckpointStorage()
    const first = createPage(server, { checkpointStorage })
    first.store.dispatch(first.agent.actions.openSession({ sessionId: 's1' }))
    await first.settle(() => true)
    await first.ask(prompt).unwrap()
    await leave(first)
    const before = JSON.parse(JSON.stringify(first.messages())) as unknown
    const second = createPage(server, { checkpointStorage, id: 'r2' })
    second.store.dispatch(second.agent.actions.openSession({ sessionId: 's1' }))
    return { before, second }
  }

  it.each([
    ['approved', undefined, ['deploy Rome', 'deploy Oslo']],
    ['rejected', 'No.', ['deploy Rome']],
  ] as const)('an approval is left and then %s, as the server signed it', async (decision, data, runs) => {
    const server = serve({ steps: [both, done], stream: { experimental_toolApprovalSecret: 'secret' } })
    const { before, second } = await leaveAndReturn(server, 'Deploy.')
    await second.settle(() => second.waiting().length === 2)
    expect(JSON.parse(JSON.stringify(second.messages()))).toEqual(before)
    expect(second.connection('r1')).toMatchObject({ state: 'idle', detached: false })
    await second.answer('a')
    await second.answer('b', decision, data)
    await second.settle(() => second.run()?.status === 'completed')
    expect(server.runs).toEqual(runs)
    expect(second.state().issues).toEqual([])
  })

  it.each(
    versions.flatMap((version) =>
      ([
        ['approved', undefined],
        ['modified', { colour: 'blue' }],
        ['rejected', 'Not now.'],
      ] as const).map((answer) => [version, ...answer] as const),
    ),
  )('what only the page can do, by version %i, is left and then %s', async (version, decision, data) => {
    const asking = go(call('ask', { city: 'Rome' }, 'q'), finish('tool-calls'))
    const server = createAiServer({ version, steps: [asking, done] })
    const { second } = await leaveAndReturn(server, 'Ask.')
    await second.settle(() => second.waiting().length === 1)
    await second.answer('q', decision, data)
    await second.settle(() => second.run()?.status === 'completed')
    const [part] = server.requests.at(-1)!.body.messages.at(-1)!.parts.filter(({ toolCallId }) => toolCallId === 'q')
    expect(part).toMatchObject(
      decision === 'rejected'
        ? { state: 'output-error', errorText: data }
        : { state: 'output-available', output: data ?? 'approved' },
    )
    expect(second.state().issues).toEqual([])
  })

  it.each([
    ['approved', ['deploy Rome', 'deploy Oslo']],
    ['rejected', ['deploy Rome']],
  ] as const)('an approval of version 6 is left and then %s', async (decision, runs) => {
    const server = createAiServer({ version: 6, steps: [both, done] })
    const { second } = await leaveAndReturn(server, 'Deploy.')
    await second.settle(() => second.waiting().length === 2)
    await second.answer('a')
    await second.answer('b', decision)
    await second.settle(() => second.run()?.status === 'completed')
    expect(server.runs).toEqual(runs)
  })
})
