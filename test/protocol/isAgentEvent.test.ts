import { agentEventTypes, isAgentEvent, isAgentEventEnvelope, type AgentEventType } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { eventSamples } from './eventSamples.ts'

const envelope = (type: string, payload: unknown) => ({
  protocolVersion: '0.1',
  type,
  eventId: 'e1',
  sessionId: 's1',
  runId: 'r1',
  sequence: 0,
  timestamp: 1_700_000_000_000,
  payload,
})
const started = envelope('run.started', {})

it('knows the 32 types of AgentEvent 0.1 and no others', () => {
  expect(agentEventTypes).toHaveLength(32)
  expect(new Set<string>(agentEventTypes)).toEqual(new Set(Object.keys(eventSamples)))
  expect(Object.isFrozen(agentEventTypes)).toBe(true)
})

describe.each(Object.entries(eventSamples))('%s', (type, { valid, invalid }) => {
  it.each(valid.map((payload, index) => [index, payload] as const))('takes valid payload %i', (_index, payload) => {
    expect(isAgentEvent(envelope(type, payload))).toBe(true)
    expect(isAgentEvent(JSON.parse(JSON.stringify(envelope(type, payload))))).toBe(true)
  })

  it.each(Object.entries(invalid))('refuses %s', (_fault, payload) => {
    expect(isAgentEvent(envelope(type, payload))).toBe(false)
  })

  it.each([undefined, null, [], 'text', 1])('refuses %j as its payload', (payload) => {
    expect(isAgentEvent(envelope(type, payload))).toBe(false)
    expect(isAgentEventEnvelope(envelope(type, payload))).toBe(false)
  })

  it('leaves unknown payload fields as they are', () => {
    const payload = { ...valid[0], vendorField: { deep: [1] } }
    const event: unknown = envelope(type, payload)
    const before = JSON.stringify(event)
    expect(isAgentEvent(event)).toBe(true)
    expect((event as { payload: unknown }).payload).toBe(payload)
    expect(JSON.stringify(event)).toBe(before)
  })

  it('does not take an unknown payload field that is no JSON', () => {
    expect(isAgentEvent(envelope(type, { ...valid[0], vendorField: () => 1 }))).toBe(false)
  })
})

const invalidEnvelopes: Record<string, unknown> = {
  'another protocol version': { ...started, protocolVersion: '0.2' },
  'no protocol version': { ...started, protocolVersion: undefined },
  'an unknown type': { ...started, type: 'run.waiting' },
  'a type that every object inherits': { ...started, type: 'constructor' },
  'the type __proto__': { ...started, type: '__proto__' },
  'no type': { ...started, type: undefined },
  'an empty eventId': { ...started, eventId: '' },
  'an empty sessionId': { ...started, sessionId: '' },
  'an empty runId': { ...started, runId: '' },
  'a numeric runId': { ...started, runId: 7 },
  'a negative sequence': { ...started, sequence: -1 },
  'a fractional sequence': { ...started, sequence: 0.5 },
  'a sequence past the safe integers': { ...started, sequence: 2 ** 53 },
  'a sequence that is text': { ...started, sequence: '0' },
  'a timestamp that is no number': { ...started, timestamp: NaN },
  'an infinite timestamp': { ...started, timestamp: Infinity },
  'a timestamp that is text': { ...started, timestamp: '2026-01-01' },
  'a parentId that is a number': { ...started, parentId: 1 },
  'an empty parentId': { ...started, parentId: '' },
  'meta that is a list': { ...started, meta: [] },
  'meta that is text': { ...started, meta: 'x' },
  'meta with a function': { ...started, meta: { send: () => 1 } },
}

describe('the envelope', () => {
  it.each(Object.entries(invalidEnvelopes))('is refused with %s', (_fault, event) => {
    expect(isAgentEvent(event)).toBe(false)
    expect(isAgentEventEnvelope(event)).toBe(false)
  })

  it.each([undefined, null, true, 0, 'run.started', [], [started], () => started, new Date(0)])(
    'is not %s',
    (value) => {
      expect(isAgentEvent(value)).toBe(false)
      expect(isAgentEventEnvelope(value)).toBe(false)
    },
  )

  it('may have a parentId, meta and fields that nobody knows', () => {
    const event = { ...started, parentId: 't1', meta: { traceId: 'x', nested: { a: [1] } }, vendorField: 1 }
    expect(isAgentEvent(event)).toBe(true)
  })

  it('is an envelope whatever its payload holds', () => {
    const event = envelope('message.delta', { unheard: 'of' })
    expect(isAgentEventEnvelope(event)).toBe(true)
    expect(isAgentEvent(event)).toBe(false)
  })

  it('takes ids that every object inherits', () => {
    for (const id of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(isAgentEvent({ ...started, runId: id, sessionId: id, eventId: id })).toBe(true)
      expect(isAgentEvent(envelope('message.started', { messageId: id, role: id }))).toBe(true)
    }
    expect(({} as Record<string, unknown>)['messageId']).toBeUndefined()
  })
})

describe('what is not JSON', () => {
  const withInput = (input: unknown) => isAgentEvent(envelope('run.started', { input }))

  it('is refused wherever it hides', () => {
    class Point {
      x = 1
    }
    const cycle: Record<string, unknown> = {}
    cycle['self'] = { cycle }
    const refused = [
      () => 1,
      Symbol('x'),
      1n,
      NaN,
      -Infinity,
      new Date(0),
      new Map(),
      new Set(),
      /x/,
      new Point(),
      new Error('x'),
      new Uint8Array(2),
      Promise.resolve(),
      cycle,
      [undefined],
      [[[() => 1]]],
      { a: { b: { c: new Date(0) } } },
    ]
    for (const input of refused) expect(withInput(input), String(typeof input)).toBe(false)
  })

  it('is refused past 200 levels and taken well below, without a stack overflow', () => {
    const nest = (depth: number) => {
      let value: unknown = 'core'
      for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { value }
      return value
    }
    expect(withInput(nest(150))).toBe(true)
    expect(withInput(nest(250))).toBe(false)
    expect(withInput(nest(100_000))).toBe(false)
  })

  it('is a value that is shared over and over, whose text would have no end: told at once', () => {
    const share = (levels: number, width: number) => {
      let value: unknown = { leaf: true }
      for (let level = 0; level < levels; level += 1) value = Array.from({ length: width }, () => value)
      return value
    }
    expect(withInput(share(60, 2))).toBe(false)
    expect(withInput(share(7, 1000))).toBe(false)
    expect(withInput(share(10, 2))).toBe(true)
  })

  it('is a long text that is shared until none could hold it', () => {
    const text = 'x'.repeat(2 ** 20)
    expect(withInput(Array.from({ length: 1000 }, () => text))).toBe(false)
    expect(withInput(Array.from({ length: 100 }, () => text))).toBe(true)
  })

  it('is a long name that is shared until no text could hold it', () => {
    const record = { ['x'.repeat(2 ** 20)]: 1 }
    expect(withInput(Array.from({ length: 1000 }, () => record))).toBe(false)
    expect(withInput(Array.from({ length: 100 }, () => record))).toBe(true)
    const absent = { ['x'.repeat(2 ** 20)]: undefined }
    expect(withInput(Array.from({ length: 1000 }, () => absent))).toBe(false)
  })

  it('is not a value of very many values', () => {
    expect(withInput(Array.from({ length: 1_000_000 }, () => ({ x: 1, y: 2 })))).toBe(true)
  })

  it('is what a getter or a proxy that throws makes of a value', () => {
    const hostile = {
      get input(): unknown {
        throw new Error('no')
      },
    }
    const proxy = new Proxy(started, {
      get: () => {
        throw new Error('no')
      },
    })
    expect(isAgentEvent(envelope('run.started', hostile))).toBe(false)
    expect(isAgentEvent(proxy)).toBe(false)
    expect(isAgentEventEnvelope(proxy)).toBe(false)
  })

  it('is not a plain object without a prototype, nor an undefined property', () => {
    const bare: unknown = Object.assign(Object.create(null) as object, { a: 1, b: undefined })
    expect(withInput(bare)).toBe(true)
    expect(withInput({ a: undefined })).toBe(true)
  })
})

it('narrows the payload by the type', () => {
  const type: AgentEventType = 'message.delta'
  const event: unknown = envelope(type, { messageId: 'm1', delta: 'Hello' })
  if (!isAgentEvent(event) || event.type !== 'message.delta') throw new Error('It should be a delta.')
  expect(event.payload.delta).toBe('Hello')
})
