import { createAgentCommandFactory, createMemoryAgentCheckpointStorage, getReceivedEvents, type AgentProvider } from 'redux-agent'
import { validateAgentProviderCommands, validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from '../store/createHarness.ts'
import { findCodeBlock, loadCodeBlock } from './loadCodeBlock.ts'

const guide = 'docs/agent-provider.md'

interface Example {
  createAcmeProvider(options: {
    getToken(): Promise<string>
    fetch?: typeof fetch
  }): AgentProvider<{ text: string }, unknown, unknown>
}

type Line = Record<string, unknown>

const { createAcmeProvider } = await loadCodeBlock<Example>(guide, 'acmeProvider.ts')

/** Lines of JSON, which end properly or by a broken connection. */
function stream(lines: readonly Line[], end: 'proper' | 'cut' = 'proper'): Response {
  const parts = lines.map((line) => new TextEncoder().encode(`${JSON.stringify(line)}\n`))
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = parts.shift()
      if (next) controller.enqueue(next)
      else if (end === 'cut') controller.error(new TypeError('cut'))
      else controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } })
}

const question = { n: 2, type: 'ask', id: 'q1', question: 'Shall I delete it?' }
const approved = { n: 3, type: 'answered', id: 'q1', decision: 'approved' }
const saying = (n: number, text: string) => ({ n, type: 'text', text })

/** A page on a backend that answers as it is told, request by request. */
function createPage(
  answers: readonly (() => Response)[],
  options: Pick<Parameters<typeof createHarness>[0] & object, 'checkpointStorage'> = {},
) {
  const requests: { path: string; body: unknown; token: string | null }[] = []
  const left = [...answers]
  let tokens = 0
  const provider = createAcmeProvider({
    getToken: async () => `token ${(tokens += 1)}`,
    async fetch(url, init) {
      const { headers, body } = init!
      const token = new Headers(headers).get('authorization')
      requests.push({ path: String(url), body: body ? JSON.parse(String(body)) : undefined, token })
      return left.shift()!()
    },
  })
  const page = createHarness({ providers: [provider], ids: ['r1', 'r2'], frames: false, ...options })
  const { actions } = page.agent
  return {
    ...page,
    provider,
    requests,
    ask: (text: string) => page.store.dispatch(actions.startRun({ sessionId: 's1', provider, input: { text } })),
    answer: () =>
      page.store
        .dispatch(actions.resolveApproval({ runId: 'r1', approvalId: 'q1', decision: 'approved' }))
        .unwrap(),
    cancel: () => page.store.dispatch(actions.cancelRun({ runId: 'r1' })).unwrap(),
    said: () => Object.values(page.state().messages).map(({ content }) => content),
    run: () => page.state().runs.r1,
    events: () => page.batches().flatMap(getReceivedEvents),
    /** Lets what is under way come to its end, whatever turns of the event loop it takes. */
    async settle(until: () => boolean) {
      for (let turn = 0; turn < 500 && !until(); turn += 1) await endOfTask()
      expect(until()).toBe(true)
    },
  }
}

describe('the provider of the guide', () => {
  expectSilentConsole()

  it('is as short as the guide says', () => {
    const lines = findCodeBlock(guide, 'acmeProvider.ts').split('\n').slice(1)
    expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(60)
  })

  it('runs in a store, keeps the contract, and tells the conversation with the next message', async () => {
    const answer = () => stream([saying(1, 'Good '), saying(2, 'day.'), { n: 3, type: 'done' }])
    const page = createPage([answer, answer])
    await page.ask('Hello').unwrap()
    expect(page.run()?.status).toBe('completed')
    expect(page.said()).toEqual(['Hello', 'Good day.'])
    expect(validateAgentProviderEvents(page.provider.capabilities, page.events())).toEqual([])
    await page.ask('And now?').unwrap()
    expect(page.requests).toEqual([
      { path: '/acme/runs/r1', body: { messages: [{ role: 'user', content: 'Hello' }] }, token: 'token 1' },
      {
        path: '/acme/runs/r2',
        body: {
          messages: [
            { role: 'user', content: 'Hello' },
            { role: 'assistant', content: 'Good day.' },
            { role: 'user', content: 'And now?' },
          ],
        },
        token: 'token 2',
      },
    ])
    expect(page.state().issues).toEqual([])
  })

  it('takes a cut stream up again after the last line, with a fresh token', async () => {
    const page = createPage([
      () => stream([saying(1, 'Good '), saying(2, 'd')], 'cut'),
      () => stream([saying(3, 'ay.'), { n: 4, type: 'done' }]),
    ])
    const run = page.ask('Hello')
    await page.settle(() => page.connection('r1')?.state === 'reconnecting')
    page.fireAllTimers()
    await run.unwrap()
    expect(page.said()).toEqual(['Hello', 'Good day.'])
    expect(page.requests[1]).toMatchObject({ path: '/acme/runs/r1?after=2', token: 'token 2' })
    expect(validateAgentProviderEvents(page.provider.capabilities, page.events())).toEqual([])
  })

  it('parks at a question, also over a reload, and goes on with its answer, which may be cut as well', async () => {
    const checkpointStorage = createMemoryAgentCheckpointStorage()
    const first = createPage([() => stream([saying(1, 'May I? '), question])], { checkpointStorage })
    await first.store.dispatch(first.agent.actions.openSession({ sessionId: 's1' })).unwrap()
    await first.ask('Tidy up').unwrap()
    expect(first.connection('r1')?.state).toBe('idle')
    expect(first.run()?.status).toBe('running')
    first.hide()
    for (let turn = 0; turn < 20; turn += 1) await endOfTask()

    const page = createPage(
      [() => stream([approved, saying(4, 'Do')], 'cut'), () => stream([saying(5, 'ne.'), { n: 6, type: 'done' }])],
      { checkpointStorage },
    )
    await page.store.dispatch(page.agent.actions.openSession({ sessionId: 's1' })).unwrap()
    await page.answer()
    await page.settle(() => page.connection('r1')?.state === 'reconnecting')
    page.fireAllTimers()
    await page.settle(() => page.run()?.status === 'completed')
    expect(page.said()).toEqual(['Tidy up', 'May I? Done.'])
    expect(page.requests.map(({ path }) => path)).toEqual([
      '/acme/runs/r1/approval.resolve',
      '/acme/runs/r1?after=4',
    ])
    expect(page.requests[0]?.body).toMatchObject({ approvalId: 'q1', decision: 'approved', key: expect.any(String) })
    expect(page.state().issues).toEqual([])
  })

  it('cancels a run that waits by the word of its server', async () => {
    const expired = { n: 3, type: 'answered', id: 'q1', decision: 'expired' }
    const page = createPage([
      () => stream([saying(1, 'May I? '), question]),
      () => stream([expired, { n: 4, type: 'cancelled' }]),
    ])
    await page.ask('Tidy up').unwrap()
    await page.cancel()
    expect(page.run()?.status).toBe('cancelled')
    expect(validateAgentProviderEvents(page.provider.capabilities, page.events())).toEqual([])
  })

  it('fails a run that its server refuses or fails, and leaves one running whose stream alone is lost for good', async () => {
    const refused = createPage([() => new Response(null, { status: 401 })])
    await refused.ask('Hello').unwrap()
    expect(refused.run()).toMatchObject({ status: 'failed', error: { code: 'http_status', retryable: false } })

    const failed = createPage([() => stream([saying(1, 'Hm'), { n: 2, type: 'failed', code: 'overload' }])])
    await failed.ask('Hello').unwrap()
    expect(failed.run()).toMatchObject({ status: 'failed', error: { code: 'overload' } })

    const malformed = createPage([() => stream([saying(1, 'Hm'), { n: 2, type: 'secret' }])])
    await malformed.ask('Hello').unwrap()
    expect(malformed.run()).toMatchObject({ status: 'failed', error: { code: 'invalid_frame' } })
    expect(JSON.stringify(malformed.state())).not.toContain('secret')
    for (const page of [refused, failed, malformed]) {
      expect(validateAgentProviderEvents(page.provider.capabilities, page.events())).toEqual([])
    }

    const gone = () => new Response(null, { status: 503 })
    const lost = createPage([() => stream([saying(1, 'Hm')], 'cut'), gone, gone, gone, gone])
    const run = lost.ask('Hello')
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await lost.settle(() => lost.requests.length === attempt + 1 && lost.delays().length > 0)
      lost.fireAllTimers()
    }
    await run
    expect(lost.run()?.status).toBe('running')
    expect(lost.connection('r1')).toMatchObject({ state: 'failed', canResume: true })
  })

  it('takes the commands that it declares, and no error comes before the answer', async () => {
    const { provider } = createPage([() => stream([approved]), () => stream([{ n: 3, type: 'cancelled' }])])
    const commands = createAgentCommandFactory({ sessionId: 's1', runId: 'r1' })
    const issues = await validateAgentProviderCommands({
      provider,
      commands: [
        { command: commands.create('approval.resolve', { approvalId: 'q1', decision: 'approved' }), initialSequence: 5 },
        { command: commands.create('run.cancel', {}), initialSequence: 5 },
      ],
    })
    expect(issues).toEqual([])
  })
})

describe('the tests that the guide shows', async () => {
  await loadCodeBlock(guide, 'acmeProvider.test.ts')
})
