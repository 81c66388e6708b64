import { AgentModuleError, createAgentEventFactory, isAgentEvent } from 'redux-agent'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const run = { sessionId: 's1', runId: 'r1', now: () => 1000 }

const refusal = { name: 'AgentEventFactoryError', code: 'invalid_sequence' }

/** The error of this package that a call throws. */
function errorOf(call: () => unknown): AgentModuleError {
  try {
    call()
  } catch (error) {
    if (AgentModuleError.isInstance(error)) return error
  }
  throw new Error('It should throw an AgentModuleError.')
}

describe('createAgentEventFactory', () => {
  it('makes events of its run whose sequences rise by one from 0', () => {
    const events = createAgentEventFactory(run)
    expect(events.getSequence()).toBe(-1)
    expect(events.create('run.started', {})).toEqual({
      protocolVersion: '0.1',
      type: 'run.started',
      eventId: 'r1:0:run.started',
      sessionId: 's1',
      runId: 'r1',
      sequence: 0,
      timestamp: 1000,
      payload: {},
    })
    expect(events.create('run.completed', {}).sequence).toBe(1)
    expect(events.getSequence()).toBe(1)
  })

  it('goes on after initialSequence, also after 0', () => {
    expect(createAgentEventFactory({ ...run, initialSequence: 41 }).create('run.started', {}).sequence).toBe(42)
    expect(createAgentEventFactory({ ...run, initialSequence: 0 }).create('run.started', {}).sequence).toBe(1)
    expect(createAgentEventFactory({ ...run, initialSequence: 41 }).getSequence()).toBe(41)
  })

  it('lets a provider state everything of an event, and goes on after a stated sequence', () => {
    const events = createAgentEventFactory(run)
    const stated = { eventId: 'e9', sequence: 9, timestamp: 5, parentId: 't1', meta: { traceId: 'x' } }
    expect(events.create('run.started', {}, stated)).toMatchObject(stated)
    expect(events.create('run.completed', {}).sequence).toBe(10)
  })

  it('never gives a sequence twice after one that was stated below the last', () => {
    const events = createAgentEventFactory({ ...run, initialSequence: 10 })
    events.create('run.started', {}, { sequence: 3 })
    expect(events.getSequence()).toBe(10)
    expect(events.create('run.completed', {}).sequence).toBe(11)
  })

  it('asks createEventId for the ids', () => {
    const events = createAgentEventFactory({ ...run, createEventId: (sequence, type) => `${type}#${sequence}` })
    expect(events.create('run.started', {}).eventId).toBe('run.started#0')
  })

  it('keeps the payload it was given', () => {
    const payload = { messageId: 'm1', delta: 'Hello', vendorField: 1 }
    expect(createAgentEventFactory(run).create('message.delta', payload).payload).toBe(payload)
  })

  it.each([-2, 0.5, NaN, Infinity, 2 ** 53])('refuses initialSequence %d', (initialSequence) => {
    expect(errorOf(() => createAgentEventFactory({ ...run, initialSequence }))).toMatchObject(refusal)
  })

  it.each([-1, 0.5, NaN, 2 ** 53])('refuses a stated sequence of %d', (sequence) => {
    const events = createAgentEventFactory(run)
    expect(errorOf(() => events.create('run.started', {}, { sequence }))).toMatchObject(refusal)
    expect(events.getSequence()).toBe(-1)
  })

  it('makes valid events with different ids, whatever the ids of session and run are', () => {
    const id = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('__proto__', 'constructor', 'toString'))
    fc.assert(
      fc.property(id, id, fc.integer({ min: -1, max: 1e9 }), (sessionId, runId, initialSequence) => {
        const events = createAgentEventFactory({ sessionId, runId, initialSequence, now: () => 0 })
        const made = Array.from({ length: 5 }, () => events.create('message.delta', { messageId: 'm', delta: '' }))
        expect(made.every(isAgentEvent)).toBe(true)
        expect(new Set(made.map(({ eventId }) => eventId)).size).toBe(5)
        expect(made.map(({ sequence }) => sequence - initialSequence)).toEqual([1, 2, 3, 4, 5])
      }),
    )
  })
})
