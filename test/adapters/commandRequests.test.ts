import { createAgentCommandFactory, replayAgentEvents, createAgentEventFactory, runAgentCommand } from 'redux-agent'
import type { AnyAgentProvider } from 'redux-agent'
import { createAgUiProvider } from 'redux-agent/adapters/ag-ui'
import { createAiSdkProvider } from 'redux-agent/adapters/ai-sdk'
import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { describe, expect, it, vi } from 'vitest'
import { endOfTask } from '../store/createHarness.ts'
import { noticeUncaught } from '../store/noticeUncaught.ts'

// The one request that a cancellation makes, by each wire that has one.

interface Given {
  fetch: typeof fetch
  headers?: () => Promise<Record<string, string>>
}

const run = { sessionId: 's1', runId: 'r1', now: () => 1000 }
const events = createAgentEventFactory(run)
const state = replayAgentEvents([
  events.create('run.started', {}),
  events.create('task.created', { taskId: 'resp_1', title: 'x' }, { meta: { openai: { responseId: 'resp_1' } } }),
])

const wires: [name: string, make: (given: Given) => AnyAgentProvider][] = [
  ['ai-sdk', (given) => createAiSdkProvider({ ...given, ...clock, getStopUrl: () => '/stop' })],
  ['ag-ui', (given) => createAgUiProvider({ ...given, ...clock, url: '/agent', stop: () => ({ url: '/stop' }) })],
  ['openai-responses', (given) => createOpenAIResponsesProvider({ ...given, ...clock, background: true })],
  ['run-server', (given) => createRunServerProvider({ ...given, ...clock })],
]
const clock = { now: () => Date.parse('2026-01-01T00:00:00Z') }

async function cancel(provider: AnyAgentProvider, signal?: AbortSignal): Promise<Error> {
  const command = createAgentCommandFactory(run).create('run.cancel', {})
  const done = { getAgentState: () => state, onEvent: () => undefined, initialSequence: 1 }
  return runAgentCommand({ provider, command, signal, ...done }).then(
    () => new Error('It was carried out.'),
    (error: unknown) => error as Error,
  )
}

/** A body that never ends. */
const endless = () => new ReadableStream<Uint8Array>({}, { highWaterMark: 0 })
const page = { headers: { 'content-type': 'text/html; charset=utf-8' } }

const { unhandled } = noticeUncaught()

describe.each(wires)('a cancellation by %s', (name, make) => {
  const answered = (answer: () => Response) => cancel(make({ fetch: async () => answer() }))

  it.each([408, 429, 500, 503])('that is answered with %i may be sent again, when the server says so', async (status) => {
    const body = JSON.stringify({ error: { code: 'busy', message: 'words' } })
    const inSeconds = await answered(() => new Response(body, { status, headers: { 'retry-after': '7' } }))
    expect(inSeconds).toMatchObject({
      ...{ name: 'AgentTransportError', code: 'http_status', adapter: name, status },
      ...{ retryable: true, retryAfter: 7000, serverCode: 'busy' },
      message: expect.stringMatching(new RegExp(`^${name}: .* status ${status} \\(busy\\)\\.$`)),
    })
    const date = { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }
    expect(await answered(() => new Response('{', { status, headers: date }))).toMatchObject({ retryAfter: 30_000 })
  })

  it.each([401, 403, 404, 409])('that is answered with %i is refused for good', async (status) => {
    const error = await answered(() => new Response('words of a person', { status, ...page }))
    expect(error).toMatchObject({ retryable: false, message: expect.stringMatching(new RegExp(`^${name}: `)) })
    expect(error.message).not.toContain('words')
  })

  it('that a page answers was not answered by the server', async () => {
    const error = await answered(() => new Response('<html>words</html>', page))
    expect(error).toMatchObject({ code: 'content_type', adapter: name, message: expect.not.stringContaining('words') })
  })

  it('that does not reach the server may be sent again', async () => {
    const error = await cancel(
      make({
        fetch() {
          throw new TypeError('words')
        },
      }),
    )
    expect(error).toMatchObject({ code: 'network', retryable: true, adapter: name })
    expect(error.message).toMatch(new RegExp(`^${name}: .*not known`))
  })

  it('whose headers cannot be made is not sent, and says so', async () => {
    let sent = 0
    const error = await cancel(
      make({
        fetch: async () => new Response(String((sent += 1))),
        headers: () => Promise.reject(new Error('The token words.')),
      }),
    )
    expect(error).toMatchObject({ code: 'request_failed', retryable: true, adapter: name })
    expect(error.message).not.toContain('words')
    expect(sent).toBe(0)
  })

  it('asks for its headers each time', async () => {
    const seen: (string | null)[] = []
    let token = 0
    const provider = make({
      fetch: async (_url, init) => {
        seen.push(new Headers(init?.headers).get('authorization'))
        return new Response(null, { status: 503 })
      },
      headers: async () => ({ authorization: String((token += 1)) }),
    })
    await cancel(provider)
    await cancel(provider)
    expect(seen).toEqual(['1', '2'])
  })

  it('ends with an abort, whoever does not heed it', async () => {
    const never = () => new Promise<never>(() => undefined)
    const hanging: ((reached: () => void) => Given)[] = [
      (reached) => ({ fetch: async () => new Response(), headers: () => (reached(), never()) }),
      (reached) => ({ fetch: () => (reached(), never()) }),
    ]
    for (const hang of hanging) {
      const controller = new AbortController()
      let reached!: () => void
      const isReached = new Promise<void>((resolve) => (reached = resolve))
      const cancelling = cancel(make(hang(reached)), controller.signal)
      await isReached
      controller.abort()
      expect(await cancelling).toMatchObject({ name: 'AbortError' })
    }
  })

  it('leaves an answer that comes after an abort alone, also where that cannot be closed', async () => {
    let answer!: (response: Response) => void
    let reached!: () => void
    const isReached = new Promise<void>((resolve) => (reached = resolve))
    const fetch = () => {
      reached()
      return new Promise<Response>((resolve) => (answer = resolve))
    }
    const controller = new AbortController()
    const cancelling = cancel(make({ fetch }), controller.signal)
    await isReached
    controller.abort()
    await cancelling
    const closed = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('It does not close.')))
    answer(new Response(new ReadableStream({ cancel: closed }, { highWaterMark: 0 })))
    await endOfTask()
    await endOfTask()
    expect(closed).toHaveBeenCalledOnce()
    expect(unhandled.mock.calls).toEqual([])
  })

  it('whose answer is too long, or breaks, is bounded, and claims nothing', async () => {
    const zeros = new Uint8Array(1 << 20)
    let pulled = 0
    const tooLong = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1
        controller.enqueue(zeros)
      },
    })
    const long = await answered(() => new Response(tooLong, { status: 403 }))
    expect(long).toMatchObject({ retryable: false })
    expect(pulled).toBeLessThan(40)
    const broken = endless()
    const readsIt = name === 'openai-responses' || name === 'run-server'
    const controller = new AbortController()
    const waiting = cancel(make({ fetch: async () => new Response(broken) }), controller.signal)
    if (readsIt) setImmediate(() => controller.abort())
    // Where the status says it all, nothing is waited for.
    expect(await waiting).toMatchObject(readsIt ? { name: 'AbortError' } : { message: 'It was carried out.' })
  })
})
