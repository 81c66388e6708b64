import { HttpAgent } from '@ag-ui/client'
import { EventEncoder } from '@ag-ui/encoder'
import { toAgUiMessages } from 'redux-agent/adapters/ag-ui'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { streamText, toSse } from '../openAI/createWire.ts'
import { createRandom, type Random } from '../../server/nodes/createRandom.ts'
import { readWithClient0, readWithClient1, readWithOurs } from './clients.ts'
import { createStreams, createWholeRun, type WireEvent } from './generateAgUi.ts'
import { byId, called, createConversation, finished, interrupted, said, started, textOf } from './runAgUi.ts'

// Theirs tells the console what it drops.
beforeEach(() => {
  for (const method of ['warn', 'error', 'log'] as const) vi.spyOn(console, method).mockImplementation(() => undefined)
})
afterEach(() => void vi.restoreAllMocks())

interface WireMessage {
  readonly id: string
  readonly role: string
  readonly content?: unknown
  readonly error?: string
  readonly toolCalls?: readonly { readonly id: string }[]
  readonly toolCallId?: string
}

const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

async function play(events: readonly unknown[] | Response) {
  const chat = createConversation([events])
  const failures = await chat.run({ message: 'Hello', messageId: 'q1' })
  return { ...chat, failures }
}

it('any valid stream comes to the same through the real clients and through ours', async () => {
  let compared = 0
  for (const seed of seeds(80)) {
    const events = createWholeRun(createRandom(seed))
    const { asked, ...ours } = await readWithOurs(events)
    const all = { ...ours, asked: asked.filter((id) => id === 'i') }
    const { results: _, ...withoutResults } = all
    // What failed with its run is told to the model here.
    const expected = events.at(-1)!.type === 'RUN_ERROR' ? withoutResults : all
    expect(await readWithClient1(events), `seed ${seed}`).toMatchObject(expected)
    const theirs0 = await readWithClient0(events)
    // It knows no types of later versions.
    expect(theirs0.isRejected, `seed ${seed}`).toBe(events.some(({ type }) => type === 'NEW_IN_2_0'))
    if (theirs0.isRejected) continue
    expect(theirs0, `seed ${seed}`).toMatchObject(expected)
    compared += 1
  }
  expect(compared).toBeGreaterThan(50)
})

it('the conversation that goes back with an answer, and after it, is the one that the real client sends', async () => {
  /** What differs for a reason: empty messages are none, what nobody answered is given up, thoughts without ids get one. */
  const comparable = (messages: readonly WireMessage[]) =>
    messages
      .filter(({ role, content, toolCalls }) => role !== 'assistant' || (content ?? '') !== '' || toolCalls !== undefined)
      .filter(({ toolCalls = [] }) => toolCalls.every(({ id }) => messages.some(({ toolCallId }) => toolCallId === id)))
      .filter(({ role }) => role !== 'activity')
      .map((message) => {
        const { error: _, ...rest } = message
        return { ...rest, id: /:thinking:|^[\da-f]{8}-/.test(rest.id) ? 'thought' : rest.id }
      })
  for (const seed of seeds(40)) {
    const { createRun, calls } = createStreams(createRandom(seed), { repeats: false, isClosed: true, isOdd: false })
    const first = createRun('r1', interrupted([{ id: 'i', reason: 'confirmation', toolCallId: calls()[0] }]))
    const second = createRun('r2', finished('r2', { outcome: { type: 'success', pendingToolCallIds: [] } }))
    const chat = createConversation([first, second])
    await chat.run({ message: 'Hello', messageId: 'q1' })
    await chat.resolve('i')
    const sent: { messages: WireMessage[]; state: unknown; resume?: unknown }[] = []
    const fetch = (async (_url: unknown, init: RequestInit) => {
      sent.push(JSON.parse(init.body as string) as (typeof sent)[number])
      return streamText(toSse([first, second][sent.length - 1]!))
    }) as typeof globalThis.fetch
    const initialMessages = [{ id: 'q1', role: 'user' as const, content: 'Hello' }]
    const agent = new HttpAgent({ url: 'https://agent.example.com', threadId: 's1', initialMessages, initialState: {}, fetch })
    await agent.runAgent({ runId: 'r1' })
    await agent.runAgent({ runId: 'r2', resume: [{ interruptId: 'i', status: 'resolved', payload: { approved: true } }] })
    const { messages, state, resume } = chat.sent[1]!.body as unknown as (typeof sent)[number]
    expect(comparable(messages), `seed ${seed}`).toEqual(comparable(sent[1]!.messages))
    expect({ state, resume }).toMatchObject({ state: sent[1]!.state, resume: sent[1]!.resume as object })
    const after = toAgUiMessages(chat.state()) as unknown as WireMessage[]
    expect(comparable(after), `seed ${seed}`).toEqual(comparable(agent.messages as unknown as WireMessage[]))
  }
})

describe('a stream in another dress is the same', () => {
  const nullable = [
    ...['timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'parentRunId', 'input', 'outcome', 'usage', 'code'],
    ...['role', 'name', 'parentMessageId', 'description', 'parentToolCallId', 'source', 'replace', 'error', 'delta'],
    ...['messageId', 'toolCallId', 'toolCallName', 'toolCalls', 'encryptedValue', 'responseSchema', 'expiresAt', 'message'],
  ]
  const withNulls = (value: object) => ({ ...Object.fromEntries(nullable.map((name) => [name, null])), ...value })
  const dresses: Record<string, (event: WireEvent) => unknown> = {
    'with null in place of what is absent': ({ outcome, messages, ...event }) => {
      const { interrupts } = (outcome ?? {}) as { interrupts?: object[] }
      const nested = interrupts ? { outcome: { ...(outcome as object), interrupts: interrupts.map(withNulls) } } : {}
      return { ...withNulls(event), ...nested, ...(Array.isArray(messages) && { messages: messages.map(withNulls) }) }
    },
    'with fields as Python names them': (event) => toSnakeCase(event),
    'with fields that nobody knows': (event) => ({ ...event, seq: 1, session: { id: 'x' }, user_name: 'y' }),
  }

  it.each(Object.entries(dresses))('%s', async (_name, dress) => {
    for (const seed of seeds(40)) {
      const events = createWholeRun(createRandom(seed))
      const usual = await play(events)
      const dressed = await play(events.map(dress))
      expect(dressed.failures).toEqual([])
      expect(dressed.events, `seed ${seed}`).toEqual(usual.events)
    }
  })

  it('in any framing of an event stream', async () => {
    const events = [started(), ...said('m', 'Grüße, ', '世界'), ...called('t', 'look'), finished()]
    const usual = await play(events)
    const text = toSse(events)
    const overLines = events.map((event) => `${JSON.stringify(event, null, 2).replaceAll(/^/gm, 'data: ')}\n\n`).join('')
    const framings = [
      `\uFEFF${text}`,
      `: hello\n\n${text.replaceAll('\n\n', '\n\n: still here\n\n:\n')}`,
      overLines,
      overLines.replaceAll('\n', '\r\n'),
      text.replaceAll('data: ', 'data:'),
      text.replaceAll('data: ', 'event: TEXT_MESSAGE_CONTENT\nretry: 10\ndata: '),
      text.replaceAll('data: {', 'data:\n\ndata: {'),
    ]
    for (const framing of framings) {
      for (const size of [1, 7, Infinity]) {
        const framed = await play(streamText(framing, size))
        expect(framed.failures).toEqual([])
        expect(framed.events).toEqual(usual.events)
      }
    }
  })

  const toSnakeCase = (value: unknown, isOwn = true): unknown => {
    if (Array.isArray(value)) return value.map((item) => toSnakeCase(item, isOwn))
    if (typeof value !== 'object' || value === null) return value
    const name = (key: string) => (isOwn ? key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : key)
    // What the app put in is named as the app does.
    const isApps = (key: string) => ['snapshot', 'content', 'value', 'result', 'arguments'].includes(key)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [name(key), toSnakeCase(item, isOwn && !isApps(key))]))
  }
})

it('fields of questions and answers that Python names count as well', async () => {
  const question = { id: 'i', reason: 'tool_call', tool_call_id: 't', expires_at: '2030-01-01T00:00:00Z', response_schema: {} }
  const end = { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [question] } }
  const again = { type: 'RUN_STARTED', run_id: 'r2', input: { resume: [{ interrupt_id: 'i', status: 'cancelled' }] } }
  const { state } = await play([started(), ...called('t', 'look'), end])
  expect(byId(state().approvals).i).toMatchObject({ toolCallId: 't', expiresAt: Date.parse('2030-01-01'), editable: true })
  const answered = await play([started(), ...called('t', 'look'), end, again, finished('r2')])
  expect(byId(answered.state().approvals).i).toMatchObject({ decision: 'rejected' })
  const calls = [{ id: 't', type: 'function', function: { name: 'look', arguments: '{}' } }]
  const messages = [{ id: 'a', role: 'assistant', tool_calls: calls }, { id: 'b', role: 'tool', tool_call_id: 't', content: 'ok' }]
  const snapshot = await play([started(), { type: 'MESSAGES_SNAPSHOT', messages }, finished()])
  expect(byId(snapshot.state().toolCalls).t).toMatchObject({ status: 'completed', result: 'ok' })
})

it('protobuf, which nobody asked for, is one clear error', async () => {
  const encoder = new EventEncoder({ accept: 'application/vnd.ag-ui.event+proto' })
  const frames = [started(), ...said('m', 'Hi'), finished()].map((event) => encoder.encodeBinary(event as never))
  const { failures, state } = await play(new Response(new Blob(frames as BlobPart[]), { headers: { 'content-type': encoder.getContentType() } }))
  expect(failures).toMatchObject([{ code: 'content_type', adapter: 'ag-ui' }])
  expect(state().runs.r1?.status).toBe('failed')
})

describe('a stream with one thing wrong', () => {
  const secret = 'SECRET-CONTENT'
  const paths = ['/__proto__', '/__proto__/bad', '/constructor/prototype/bad', '/list/-', '/list/0', '/list/01', '/list/9', '/a~1b', '/m~0n', '/m~01', '', '/', '/list/-1', 'list', '/n/x']
  const shared = JSON.parse('{"list":[1,2],"a/b":1,"m~n":2,"m~1":3,"n":null,"__proto__":{"x":1}}') as object

  const createPatch = ({ below, chance, pick }: Random) => {
    const operation = () => ({
      op: pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'huh']),
      path: pick(paths),
      ...(chance(0.8) && { value: pick([1, null, [], {}, secret, { bad: true }]) }),
      ...(chance(0.7) && { from: pick(paths) }),
    })
    return pick<unknown[]>([Array.from({ length: 1 + below(3) }, operation), [null], [secret], [{}], [[]], Array.from({ length: 2000 }, operation)])
  }

  /** Puts one thing wrong, somewhere. */
  function spoil(events: readonly WireEvent[], random: Random): unknown[] {
    const { below, pick } = random
    const at = below(events.length)
    const [before, event, after] = [events.slice(0, at), events[at]!, events.slice(at + 1)]
    const field = () => ({ ...event, [pick(Object.keys(event))]: pick([null, 1, '', secret, [secret], { secret }, true]) })
    const wrong = () => pick([`{"type":"TEXT`, secret, [], 42, null, '"x"', {}, { type: null }])
    const patch = () => [{ type: 'STATE_SNAPSHOT', snapshot: shared }, { type: 'STATE_DELTA', delta: createPatch(random) }]
    return pick<() => unknown[]>([
      () => [...before, ...after],
      () => [...before, event, event, ...after],
      () => [...before, ...after.slice(0, 1), event, ...after.slice(1)],
      () => before,
      () => [...before, wrong(), ...after],
      () => [...before, field(), ...after],
      () => [...before, event, ...events.slice(Math.max(0, at - 3))],
      () => [...events.slice(0, Math.max(1, at)), ...patch(), ...events.slice(Math.max(1, at))],
    ])()
  }

  it('is one clear error, or has one right ending', async () => {
    const codes = new Map<unknown, number>()
    for (const seed of seeds(200)) {
      const random = createRandom(seed)
      const events = spoil(createWholeRun(random), random)
      const { failures, state, provider, events: made } = await play(events)
      expect(state().issues).toEqual([])
      const ends = made.filter(({ type }) => /^run\.(completed|failed|cancelled)$/.test(type))
      const waits = Object.values(state().approvals).some(({ status }) => status === 'waiting')
      // Never silence, and never both: the run is over, or somebody can answer it.
      expect(ends, `seed ${seed}`).toHaveLength(waits ? 0 : 1)
      if (!waits) expect(validateAgentProviderEvents(provider.capabilities, made)).toEqual([])
      const [failure] = failures as Error[]
      codes.set((failure as { code?: unknown } | undefined)?.code, (codes.get((failure as { code?: unknown } | undefined)?.code) ?? 0) + 1)
      if (!failure) continue
      expect(failures).toHaveLength(1)
      expect(failure.message).toMatch(/^ag-ui(: chunk \d+ |, after chunk \d+: |: The stream ended)/)
      expect(`${failure.message} ${String(failure.cause)} ${JSON.stringify(state().runs.r1?.error)}`).not.toContain(secret)
    }
    expect([...codes.keys()].toSorted()).toEqual(['incomplete', 'invalid_frame', undefined])
    expect(({} as { bad?: unknown }).bad).toBeUndefined()
  })

  it('says no word twice where what is doubled is no word', async () => {
    const isWord = ({ type }: WireEvent) => /CONTENT|CHUNK|ARGS|CUSTOM/.test(type)
    for (const seed of seeds(60)) {
      const events = createWholeRun(createRandom(seed))
      const usual = textOf((await play(events)).state()).join('|')
      const at = 1 + (seed % (events.length - 1))
      if (isWord(events[at]!)) continue
      const { state } = await play([...events.slice(0, at), events[at]!, ...events.slice(at)])
      expect(usual.startsWith(textOf(state()).join('|')), `seed ${seed}`).toBe(true)
    }
  })
})

it('a question whose frame is doubled is asked once', async () => {
  const asks = interrupted([{ id: 'i', reason: 'confirmation' }])
  const { state, failures } = await play([started(), asks, asks])
  expect(failures).toEqual([])
  expect(Object.keys(byId(state().approvals))).toEqual(['i'])
})
