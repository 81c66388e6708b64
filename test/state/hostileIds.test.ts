import fc from 'fast-check'
import {
  createAgentEventFactory,
  createInitialAgentState,
  getAgentEntityKey,
  isAgentEvent,
  reduceAgentEvents,
  reduceAgentState,
  replayAgentEvents,
} from 'redux-agent'
import type { AgentEvent, AgentState } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { hostileIds } from './arbitraryScripts.ts'
import { createEvent } from './createScript.ts'
import { deepFreeze } from './deepFreeze.ts'
import { payloadOf, reducerTable } from './reducerTable.ts'

const cleanKeys = JSON.stringify(Reflect.ownKeys(Object.prototype).map(String))
function expectNoPollution() {
  expect(JSON.stringify(Reflect.ownKeys(Object.prototype).map(String))).toBe(cleanKeys)
  expect(Object.keys({})).toEqual([])
  expect(({} as Record<string, unknown>).status).toBeUndefined()
}

describe.each(hostileIds)('the id %j', (id) => {
  const [runId, sessionId] = [id, id]
  const script = (): AgentEvent[] => [
    createEvent('session.started', { title: 't' }, { runId, sessionId, sequence: 0 }),
    createEvent('run.started', {}, { runId, sessionId, sequence: 1 }),
    createEvent('message.started', { messageId: id, role: 'assistant' }, { runId, sessionId, sequence: 2 }),
    createEvent('message.delta', { messageId: id, delta: 'Hi' }, { runId, sessionId, sequence: 3 }),
    createEvent('tool.requested', { toolCallId: id, name: id }, { runId, sessionId, sequence: 4, eventId: id }),
  ]

  it('is an id like any other', () => {
    const state = replayAgentEvents(script())
    expect(Object.keys(state.runs)).toEqual([id])
    expect(Object.keys(state.sessions)).toEqual([id])
    expect(Object.keys(state.lastSequenceByRun)).toEqual([id])
    expect(state.messages[getAgentEntityKey(id, id)]).toMatchObject({ id, runId: id, content: 'Hi' })
    expect(state.issues).toEqual([])
    expectNoPollution()
  })

  it('survives JSON, is recognized when it comes again, and is let go at the end', () => {
    const stored = JSON.parse(JSON.stringify(replayAgentEvents(script()))) as AgentState
    expect(script().reduce(reduceAgentState, stored)).toBe(stored)
    const ended = reduceAgentState(
      stored,
      createEvent('run.failed', { error: { message: 'x' } }, { runId, sessionId, sequence: 9 }),
    )
    expect(Object.entries(ended.runs)).toMatchObject([[id, { status: 'failed' }]])
    expect(Object.keys(ended.processedEvents)).toEqual([])
    expectNoPollution()
  })

  it('is missing where nothing has it', () => {
    const event = createEvent('tool.running', { toolCallId: id }, { runId, sessionId })
    expect(reduceAgentState(createInitialAgentState(), event).issues).toMatchObject([{ code: 'missing_run' }])
  })
})

describe('whatever valid event comes', () => {
  const anyId = fc.oneof(fc.constantFrom(...hostileIds), fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }))
  const anyJson = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
  const anyEvent = fc
    .record({
      row: fc.constantFrom(
        ...reducerTable,
        { type: 'run.started' as const, payload: {} },
        { type: 'session.started' as const, payload: {} },
      ),
      runId: anyId,
      sessionId: fc.constantFrom('s1', '__proto__'),
      eventId: fc.option(anyId, { nil: undefined }),
      sequence: fc.oneof(fc.nat(20), fc.maxSafeNat()),
      timestamp: fc.double({ noNaN: true, noDefaultInfinity: true }),
      json: anyJson,
      text: fc.string({ unit: 'binary' }),
    })
    .map(({ row, json, text, ...options }) => {
      const payload: Record<string, unknown> = { ...payloadOf(row.type) }
      for (const field of ['data', 'result', 'content', 'output', 'input']) {
        if (field in payload && !row.type.startsWith('message') && !row.type.startsWith('reasoning'))
          payload[field] = json
      }
      if ('delta' in payload) payload.delta = text
      return createEvent(row.type, payload as never, { ...options, meta: { json } }) as AgentEvent
    })

  it('nothing throws, nothing pollutes, and the state stays JSON', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
        fc.pre(events.every(isAgentEvent))
        const state = events.reduce(
          (before, event) => reduceAgentState(deepFreeze(before), event),
          createInitialAgentState(),
        )
        expect(JSON.parse(JSON.stringify(state))).toEqual(JSON.parse(JSON.stringify(replayAgentEvents(events))))
        expectNoPollution()
      }),
      { numRuns: 200 },
    )
  })

  it('an event of a type that is none is left out', () => {
    const state = replayAgentEvents([createEvent('run.started', {})])
    const event = { ...createEvent('run.completed', {}, { sequence: 1 }), type: 'constructor' } as unknown as AgentEvent
    expect(reduceAgentState(state, event).runs).toBe(state.runs)
  })
})

/** Ids of one FNV-1a hash: after what came before, either of two blocks of characters leads to the same. */
function createAlikeIds(): string[] {
  const blocks = [['7yzx', 'e6ad'], ...Array.from({ length: 10 }, () => ['33zx', 'epad'])]
  return blocks.reduce((ids, pair) => ids.flatMap((id) => pair.map((block) => id + block)), [''])
}

it('thousands of event ids that were made to have one hash are told apart by short lists', () => {
  const ids = createAlikeIds()
  const events = createAgentEventFactory({ sessionId: 's1', runId: 'r1', now: () => 1 })
  const start = events.create('run.started', {})
  const updates = ids.map((eventId, index) => events.create('tool.arguments_delta', { toolCallId: 't', delta: `${index}` }, { eventId }))
  const script = [start, events.create('tool.requested', { toolCallId: 't', name: 'x' }), ...updates]
  const state = replayAgentEvents(script)
  const leaves: unknown[][] = []
  const look = (node: unknown): void => {
    if (!Array.isArray(node)) return
    if (typeof node[0] === 'string') leaves.push(node)
    else node.forEach(look)
  }
  look(state.processedEvents.r1!.others)
  expect(new Set(ids).size).toBe(2048)
  const kept = new Set(leaves.flat())
  expect(ids.filter((id) => !kept.has(id))).toEqual([])
  expect(Math.max(...leaves.map(({ length }) => length))).toBeLessThanOrEqual(32)
  expect(reduceAgentEvents(state, updates)).toBe(state)
})
