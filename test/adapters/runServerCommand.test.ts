import {
  createAgentCommandFactory,
  createAgentEventFactory,
  runAgentCommand,
  type AgentCommand,
  type AgentEvent,
} from 'redux-agent'
import { createRunServerProvider, RunServerCommandError } from 'redux-agent/adapters/run-server'
import { createGate } from 'redux-agent/testing'
import { http, HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { startMsw } from '../support/startMsw.ts'

const baseUrl = 'https://agent.example.com'
const server = startMsw()

const run = { sessionId: 's1', runId: 'r1', now: () => 1000 }
/** Stands where the server is not asked. */
const unasked = () => new Response()
const stored = (event: AgentEvent) => ({ runId: 'r1', seq: event.sequence, event, createdAt: 1000 })

describe('a command', () => {
  const commands = createAgentCommandFactory(run)
  const approve = commands.create('approval.resolve', { approvalId: 'a1', decision: 'approved' })
  const resolved = createAgentEventFactory({ ...run, initialSequence: 5 }).create('approval.resolved', {
    approvalId: 'a1',
    decision: 'approved',
  })

  async function send(
    answer: () => Response,
    provider = createRunServerProvider({ baseUrl, now: () => 0 }),
    command: AgentCommand = approve,
  ) {
    const requests: { body: unknown; headers: Headers }[] = []
    server.use(
      http.post(`${baseUrl}/api/agent/commands`, async ({ request }) => {
        requests.push({ body: await request.json(), headers: request.headers })
        return answer()
      }),
    )
    const seen: AgentEvent[] = []
    let error: unknown
    await runAgentCommand({
      provider,
      command,
      initialSequence: 5,
      onEvent: (event) => seen.push(event),
    }).catch((thrown: unknown) => (error = thrown))
    return { requests, seen, error }
  }

  it('is posted once under its idempotency key, and its events are handed over', async () => {
    const provider = createRunServerProvider({ baseUrl, headers: { authorization: 'Bearer t1' } })
    const answer = { applied: true, appliedThroughSeq: 6, events: [stored(resolved)] }
    const { requests, seen, error } = await send(() => HttpResponse.json(answer), provider)
    expect(error).toBeUndefined()
    expect(seen).toEqual([resolved])
    expect(requests).toHaveLength(1)
    expect(requests[0]!.body).toEqual(approve)
    expect(requests[0]!.headers.get('idempotency-key')).toBe(approve.idempotencyKey)
    expect(requests[0]!.headers.get('authorization')).toBe('Bearer t1')
  })

  it('that comes after another decision brings its events, then fails with the one that stands', async () => {
    const rejected = { ...resolved, payload: { approvalId: 'a1', decision: 'rejected' } } as AgentEvent
    const conflict = { code: 'already_decided', message: 'x', decision: 'rejected', events: [stored(rejected)] }
    const { seen, error } = await send(() => HttpResponse.json(conflict, { status: 409 }))
    expect(seen).toEqual([rejected])
    expect(error).toBeInstanceOf(RunServerCommandError)
    expect(error).toMatchObject({
      code: 'conflict',
      retryable: false,
      status: 409,
      serverCode: 'already_decided',
      decision: 'rejected',
      message: 'run-server: It was decided already: rejected.',
    })
  })

  it.each([
    [409, 'conflict', 'run_ended'],
    [422, 'refused', 'not_editable'],
    [404, 'refused', 'approval_not_found'],
    [401, 'refused', 'unauthorized'],
  ])('that is refused by %i is %s, for good', async (status, code, serverCode) => {
    const { seen, error } = await send(() => HttpResponse.json({ code: serverCode }, { status }))
    expect(seen).toEqual([])
    expect(error).toMatchObject({ name: 'RunServerCommandError', code, status, serverCode, retryable: false })
    expect(String(error)).toContain(serverCode)
  })

  it.each([
    ['a code that is none', { code: 'Sorry, no.' }, { serverCode: undefined, decision: 'rejected' }, [resolved], 'its code'],
    ['a decision that is none', { decision: 7 }, { serverCode: 'already_decided', decision: undefined }, [resolved], 'its decision'],
    ['events that are none', { events: 'none' }, { serverCode: 'already_decided', decision: 'rejected' }, [], 'its events'],
    [
      'one event that is none, and a code',
      { code: ['x'], events: [{ seq: 'six', secret: 'secret' }, stored(resolved)] },
      { serverCode: undefined, decision: 'rejected' },
      [resolved],
      'its code and its events',
    ],
  ])('that is refused with %s brings the rest, and the error’s cause tells what is not understood', async (_name, wrong, fields, events, unread) => {
    const conflict = { code: 'already_decided', decision: 'rejected', events: [stored(resolved)], ...wrong }
    const { seen, error } = await send(() => HttpResponse.json(conflict, { status: 409 }))
    expect(seen).toEqual(events)
    expect(error).toMatchObject({ name: 'RunServerCommandError', code: 'conflict', status: 409, ...fields })
    const message = `run-server: The refusal is understood but for ${unread}.`
    expect((error as Error).cause).toMatchObject({ name: 'AgentTransportError', code: 'invalid_frame', message })
  })

  it('that a proxy refuses is told by its status', async () => {
    const { error } = await send(() => new HttpResponse('<html>', { status: 403 }))
    expect(error).toMatchObject({ code: 'refused', status: 403, serverCode: undefined })
    expect(error).not.toHaveProperty('cause')
    expect(String(error)).toContain('status 403')
  })

  it.each([
    [503, '3', 3000],
    [429, undefined, undefined],
    [500, undefined, undefined],
  ])('that the server cannot take now (%i) may be sent again', async (status, wait, retryAfter) => {
    const headers: Record<string, string> = wait === undefined ? {} : { 'retry-after': wait }
    const { error } = await send(() => HttpResponse.json({ code: 'internal_error' }, { status, headers }))
    expect(error).toMatchObject({ name: 'AgentTransportError', status, retryable: true, retryAfter })
  })

  it('whose refusal never ends is told by its status, after five seconds', async () => {
    const gate = createGate()
    const delays: number[] = []
    let ring!: () => void
    const timers = {
      setTimeout(callback: () => void, delay: number) {
        delays.push(delay)
        ring = callback
      },
      clearTimeout: () => undefined,
    }
    const body = new ReadableStream<Uint8Array>({ pull: () => gate.pass() }, { highWaterMark: 0 })
    const fetch: typeof globalThis.fetch = () => Promise.resolve(new Response(body, { status: 403 }))
    const sending = send(unasked, createRunServerProvider({ baseUrl, fetch, timers }))
    await gate.reached
    ring()
    const { error } = await sending
    expect(error).toMatchObject({ code: 'refused', status: 403 })
    expect(delays).toEqual([5000])
  })

  it('whose answer holds a million entries that are none is refused at the first', async () => {
    const entry = { runId: 'r1', seq: 0.5 }
    const answer = JSON.stringify({ events: Array.from({ length: 1_000_000 }, () => entry) })
    const looks = vi.spyOn(Number, 'isSafeInteger')
    const fetch: typeof globalThis.fetch = () => Promise.resolve(new Response(answer))
    const { error } = await send(unasked, createRunServerProvider({ baseUrl, fetch }))
    expect(error).toMatchObject({ code: 'invalid_frame' })
    expect(looks).toHaveBeenCalledExactlyOnceWith(0.5)
  })

  it('goes out with ids that hold half a character, and comes back with them', async () => {
    const approvalId = 'a\ud800'
    const commandId = 'c1'
    const odd = commands.create('approval.resolve', { approvalId, decision: 'approved' }, { commandId })
    const event = { ...resolved, payload: { approvalId, decision: 'approved' as const } }
    const bodies: unknown[] = []
    const fetch: typeof globalThis.fetch = (_url, init) => {
      bodies.push(JSON.parse(init?.body as string))
      return Promise.resolve(new Response(JSON.stringify({ events: [stored(event)] })))
    }
    const seen: AgentEvent[] = []
    const provider = createRunServerProvider({ baseUrl, fetch })
    await runAgentCommand({ provider, command: odd, initialSequence: 5, onEvent: (taken) => seen.push(taken) })
    expect(bodies).toEqual([odd])
    expect(seen).toEqual([event])
  })

  it.each([
    ['beyond Latin-1', 'r1:ключ:🔑'],
    ['of Latin-1', 'clé'],
    ['with a line break', 'a\r\nb'],
    ['with a space at its end', 'a '],
  ])('goes out under a key that no header carries unchanged, which its body states: %s', async (_, idempotencyKey) => {
    const odd = commands.create('approval.resolve', { approvalId: 'заявка', decision: 'approved' }, { idempotencyKey })
    const answer = { events: [stored({ ...resolved, payload: { approvalId: 'заявка', decision: 'approved' } })] }
    const { requests, seen, error } = await send(() => HttpResponse.json(answer), undefined, odd)
    expect(error).toBeUndefined()
    expect(seen).toHaveLength(1)
    expect(requests[0]!.body).toEqual(odd)
    expect(requests[0]!.headers.has('idempotency-key')).toBe(false)
  })

  it('whose answer is lost may be sent again', async () => {
    const { error } = await send(() => HttpResponse.error())
    expect(error).toMatchObject({ name: 'AgentTransportError', code: 'network', retryable: true })
  })

  it.each([
    ['text', () => new HttpResponse('ok')],
    ['no events', () => HttpResponse.json({ applied: true })],
    ['events that are no frames', () => HttpResponse.json({ events: [resolved] })],
  ])('whose answer is not understood may be sent again, as it may have been done: %s', async (_fault, answer) => {
    const { error } = await send(answer)
    expect(error).toMatchObject({ name: 'AgentTransportError', code: 'invalid_frame', retryable: true })
  })

  it('whose events break the protocol is a protocol error', async () => {
    const foreign = { ...resolved, runId: 'r2' }
    const { seen, error } = await send(() => HttpResponse.json({ events: [stored(foreign)] }))
    expect(seen).toEqual([])
    expect(error).toMatchObject({ name: 'AgentCommandRunnerError', code: 'protocol_error' })
  })

  it('that is aborted under way aborts its request', async () => {
    const controller = new AbortController()
    const asked = createGate()
    const signals: (AbortSignal | null | undefined)[] = []
    const fetch: typeof globalThis.fetch = (_url, init) => {
      signals.push(init?.signal)
      void asked.pass()
      return new Promise(() => undefined)
    }
    const running = runAgentCommand({
      provider: createRunServerProvider({ fetch }),
      command: approve,
      initialSequence: 5,
      signal: controller.signal,
      onEvent: () => undefined,
    })
    await asked.reached
    controller.abort()
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
    expect(signals[0]?.aborted).toBe(true)
  })
})
