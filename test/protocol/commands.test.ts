import {
  agentCommandTypes,
  createAgentCommandFactory,
  isAgentCommand,
  isAgentCommandEnvelope,
  type AgentCommandType,
} from 'redux-agent'
import { describe, expect, it } from 'vitest'

const factoryOptions = {
  sessionId: 's1',
  runId: 'r1',
  now: () => 1000,
  createCommandId: () => 'c1',
  createIdempotencyKey: (commandId: string) => `key of ${commandId}`,
}

const samples: Record<AgentCommandType, { valid: object[]; invalid: Record<string, unknown> }> = {
  'approval.resolve': {
    valid: [
      { approvalId: 'a1', decision: 'approved' },
      { approvalId: 'a1', decision: 'rejected', expectedVersion: 0 },
      { approvalId: '__proto__', decision: 'modified', data: { arguments: { text: 'x' } }, expectedVersion: 'v1' },
    ],
    invalid: {
      'no approvalId': { decision: 'approved' },
      'an empty approvalId': { approvalId: '', decision: 'approved' },
      'a numeric approvalId': { approvalId: 1, decision: 'approved' },
      'no decision': { approvalId: 'a1' },
      'an unknown decision': { approvalId: 'a1', decision: 'maybe' },
      'the decision expired, which is the runtime’s': { approvalId: 'a1', decision: 'expired' },
      'an expectedVersion that is true': { approvalId: 'a1', decision: 'approved', expectedVersion: true },
      'an expectedVersion that is no number': { approvalId: 'a1', decision: 'approved', expectedVersion: NaN },
      'data that is a function': { approvalId: 'a1', decision: 'modified', data: () => 1 },
    },
  },
  'tool.retry': {
    valid: [{ toolCallId: 't1' }],
    invalid: {
      'no toolCallId': {},
      'an empty toolCallId': { toolCallId: '' },
      'a null toolCallId': { toolCallId: null },
    },
  },
  'run.cancel': {
    valid: [{}, { reason: '' }, { reason: 'enough' }],
    invalid: { 'a reason that is a number': { reason: 1 } },
  },
}

const envelope = (type: string, payload: unknown) => ({
  commandProtocol: 'agent-command',
  commandProtocolVersion: '0.1',
  type,
  commandId: 'c1',
  idempotencyKey: 'k1',
  sessionId: 's1',
  runId: 'r1',
  timestamp: 1000,
  payload,
})
const cancel = envelope('run.cancel', {})

it('knows three commands', () => {
  expect(new Set<string>(agentCommandTypes)).toEqual(new Set(Object.keys(samples)))
})

describe.each(Object.entries(samples))('%s', (type, { valid, invalid }) => {
  it.each(valid.map((payload, index) => [index, payload] as const))('takes valid payload %i', (_index, payload) => {
    expect(isAgentCommand(envelope(type, payload))).toBe(true)
    expect(isAgentCommandEnvelope(envelope(type, payload))).toBe(true)
  })

  it.each(Object.entries(invalid))('refuses %s', (_fault, payload) => {
    expect(isAgentCommand(envelope(type, payload))).toBe(false)
  })

  it('leaves unknown payload fields as they are', () => {
    const command: unknown = envelope(type, { ...valid[0], vendorField: 1 })
    expect(isAgentCommand(command)).toBe(true)
    expect(command).toEqual(envelope(type, { ...valid[0], vendorField: 1 }))
  })
})

describe('the envelope', () => {
  const invalid: Record<string, unknown> = {
    'another protocol': { ...cancel, commandProtocol: 'agent-event' },
    'another version': { ...cancel, commandProtocolVersion: '0.2' },
    'an unknown type': { ...cancel, type: 'run.pause' },
    'a type that every object inherits': { ...cancel, type: 'toString' },
    'an empty commandId': { ...cancel, commandId: '' },
    'an empty idempotencyKey': { ...cancel, idempotencyKey: '' },
    'no idempotencyKey': { ...cancel, idempotencyKey: undefined },
    'an empty sessionId': { ...cancel, sessionId: '' },
    'an empty runId': { ...cancel, runId: '' },
    'an infinite timestamp': { ...cancel, timestamp: Infinity },
    'a timestamp that is text': { ...cancel, timestamp: 'now' },
    'meta that is a list': { ...cancel, meta: [] },
    'meta that is a class instance': { ...cancel, meta: new Date(0) },
    'meta that is no JSON': { ...cancel, meta: { at: new Date(0) } },
    'a payload that is a list': { ...cancel, payload: [] },
    'a payload of another type': envelope('tool.retry', { approvalId: 'a1' }),
  }

  it.each(Object.entries(invalid))('is refused with %s', (_fault, command) => {
    expect(isAgentCommand(command)).toBe(false)
  })

  it.each([undefined, null, 'run.cancel', 1, [], () => cancel])('is not %s', (value) => {
    expect(isAgentCommand(value)).toBe(false)
    expect(isAgentCommandEnvelope(value)).toBe(false)
  })

  it('is not what throws when it is read', () => {
    const hostile = new Proxy(cancel, {
      get: () => {
        throw new Error('no')
      },
    })
    expect(isAgentCommand(hostile)).toBe(false)
    expect(isAgentCommandEnvelope(hostile)).toBe(false)
  })

  it('is not what throws only later, however often it was well-behaved', () => {
    const reads = { left: 0 }
    const hostile = new Proxy(cancel, {
      get: (target, key) => {
        if (reads.left === 0) throw new Error('no')
        reads.left -= 1
        return Reflect.get(target, key) as unknown
      },
    })
    const answers = Array.from({ length: 40 }, (_, allowed) => {
      reads.left = allowed
      return isAgentCommand(hostile)
    })
    expect(answers[5]).toBe(false)
    expect(answers.at(-1)).toBe(true)
  })
})

describe('createAgentCommandFactory', () => {
  it('makes commands of its run with the clock and the ids it was given', () => {
    const command = createAgentCommandFactory(factoryOptions).create('tool.retry', { toolCallId: 't1' })
    expect(command).toEqual({
      commandProtocol: 'agent-command',
      commandProtocolVersion: '0.1',
      type: 'tool.retry',
      commandId: 'c1',
      idempotencyKey: 'key of c1',
      sessionId: 's1',
      runId: 'r1',
      timestamp: 1000,
      payload: { toolCallId: 't1' },
    })
  })

  it('gives every command an id and a key of its own, also where two factories make them', () => {
    const make = () => createAgentCommandFactory({ sessionId: 's1', runId: 'r1' }).create('run.cancel', {})
    const commands = Array.from({ length: 50 }, make)
    const names = commands.flatMap(({ commandId, idempotencyKey }) => [commandId, idempotencyKey])
    expect(new Set(names).size).toBe(100)
    expect(commands.every(isAgentCommand)).toBe(true)
  })

  it('resends under the id and the key of the first sending', () => {
    const commands = createAgentCommandFactory({ sessionId: 's1', runId: 'r1' })
    const first = commands.create('run.cancel', {})
    const { commandId, idempotencyKey, timestamp } = first
    expect(commands.create('run.cancel', {}, { commandId, idempotencyKey, timestamp })).toEqual(first)
  })

  it('carries meta only where it is stated', () => {
    const commands = createAgentCommandFactory(factoryOptions)
    expect(commands.create('run.cancel', {}, { meta: { from: 'menu' } }).meta).toEqual({ from: 'menu' })
    expect('meta' in commands.create('run.cancel', {})).toBe(false)
  })

  it('makes its ids where crypto.randomUUID is missing', ({ onTestFinished }) => {
    const { randomUUID } = crypto
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true })
    onTestFinished(() => {
      Object.defineProperty(crypto, 'randomUUID', { value: randomUUID, configurable: true })
    })
    const commands = createAgentCommandFactory({ sessionId: 's1', runId: 'r1' })
    const first = commands.create('run.cancel', {}).commandId
    expect(first).toMatch(/^r1:command:[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(commands.create('run.cancel', {}).commandId).not.toBe(first)
  })
})
