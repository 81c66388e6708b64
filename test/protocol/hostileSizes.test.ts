import { isAgentCommand, isAgentCommandEnvelope, isAgentEvent } from 'redux-agent'
import { describe, expect, it } from 'vitest'

const envelope = (type: string, payload: unknown, rest: object = {}) => ({
  protocolVersion: '0.1',
  type,
  eventId: 'e1',
  sessionId: 's1',
  runId: 'r1',
  sequence: 0,
  timestamp: 1000,
  payload,
  ...rest,
})
const command = (payload: unknown, rest: object = {}) => ({
  commandProtocol: 'agent-command',
  commandProtocolVersion: '0.1',
  type: 'run.cancel',
  commandId: 'c1',
  idempotencyKey: 'k1',
  sessionId: 's1',
  runId: 'r1',
  timestamp: 1000,
  payload,
  ...rest,
})

/** A list or record that counts how many of its entries were looked at. */
function counted<Value extends object>(value: Value): { value: Value; reads: () => number } {
  let count = 0
  const proxy = new Proxy(value, {
    get(target, key, receiver) {
      if (typeof key === 'string' && key !== 'length' && Object.hasOwn(target, key)) count += 1
      return Reflect.get(target, key, receiver) as unknown
    },
  })
  return { value: proxy, reads: () => count }
}

/** A list that has a length and nothing else. */
const holes = (length: number) => Object.assign<unknown[], object>([], { length })
const size = 10_000
const zeros = () => counted(Array.from({ length: size }, () => 0))
const contentIn: Record<string, (content: unknown) => object> = {
  'message.started': (content) => ({ messageId: 'm1', role: 'user', content }),
  'message.delta': (delta) => ({ messageId: 'm1', delta }),
  'message.completed': (content) => ({ messageId: 'm1', content }),
}

describe.each(Object.entries(contentIn))('the content of %s', (type, payloadOf) => {
  it('is refused at its first part that is none', () => {
    const list = zeros()
    expect(isAgentEvent(envelope(type, payloadOf(list.value)))).toBe(false)
    expect(list.reads()).toBeLessThan(5)
  })

  it('is refused where it is a list of holes, however long', () => {
    expect(isAgentEvent(envelope(type, payloadOf(holes(4_000_000_000))))).toBe(false)
  })

  it('is taken where it is long and good', () => {
    const parts = Array.from({ length: size }, () => ({ type: 'text', text: 'x' }))
    expect(isAgentEvent(envelope(type, payloadOf(parts)))).toBe(true)
  })
})

describe('what else is long', () => {
  it('is a usage record, refused at its first entry that is no number', () => {
    const entries = Array.from({ length: size }, (_, index) => [`k${index}`, 'x'])
    const usage = counted(Object.fromEntries(entries) as object)
    expect(isAgentEvent(envelope('run.completed', { usage: usage.value }))).toBe(false)
    expect(usage.reads()).toBeLessThan(5)
  })

  it('is a usage record whose fault stands under __proto__', () => {
    const usage: unknown = JSON.parse('{"a":1,"__proto__":"x"}')
    expect(isAgentEvent(envelope('run.completed', { usage }))).toBe(false)
  })

  it('is JSON of any field, refused at its first entry that is no JSON', () => {
    for (const input of [holes(4_000_000_000), [0, ...holes(3)]]) {
      expect(isAgentEvent(envelope('run.started', { input }))).toBe(false)
      expect(isAgentEvent(envelope('run.started', {}, { meta: { input } }))).toBe(false)
      expect(isAgentCommand(command({}, { meta: { input } }))).toBe(false)
    }
  })

  it('is a command’s payload or meta, each entry of which is looked at once by the envelope', () => {
    const entries = Array.from({ length: size }, (_, index) => [`k${index}`, index])
    const [payload, meta] = [counted(Object.fromEntries(entries) as object), counted(Object.fromEntries(entries) as object)]
    expect(isAgentCommandEnvelope(command(payload.value, { meta: meta.value }))).toBe(true)
    expect([payload.reads(), meta.reads()]).toEqual([size, size])
  })
})
