import fc from 'fast-check'
import {
  createAgentStore,
  createInitialAgentState,
  reduceAgentEvents,
  reduceAgentState,
  replayAgentEvents,
  type AgentEvent,
  type AgentState,
} from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { createEvent } from './createScript.ts'
import { deepFreeze } from './deepFreeze.ts'
import { payloadOf, reducerTable } from './reducerTable.ts'

const script: readonly AgentEvent[] = [
  createEvent('run.started', {}, { sequence: 0 }),
  createEvent('message.started', { messageId: 'm1', role: 'assistant' }, { sequence: 1 }),
  createEvent('reasoning.started', { reasoningId: 'g1' }, { sequence: 2 }),
  createEvent('tool.requested', { toolCallId: 't1', name: 'x' }, { sequence: 3 }),
]
const running = deepFreeze(replayAgentEvents(script))
const delta = createEvent('message.delta', { messageId: 'm1', delta: 'x' }, { sequence: 4 })
const reduce = (event: unknown, state: AgentState = running) => reduceAgentState(state, event as AgentEvent)
const throwing = () => {
  throw new Error('no')
}
const timesOf = ({ messages, reasoning, toolCalls }: AgentState) =>
  [messages, reasoning, toolCalls].map((record) => Object.values(record).map(({ updatedAt, meta }) => ({ updatedAt, meta })))
const contentOf = ({ messages, reasoning, toolCalls, runs, order, lastSequenceByRun }: AgentState) => ({
  messages: Object.values(messages).map(({ content }) => content),
  reasoning: Object.values(reasoning).map(({ content }) => content),
  toolCalls: Object.values(toolCalls).map((toolCall) => toolCall.arguments),
  runs,
  order,
  lastSequenceByRun,
})

describe('what is no event', () => {
  it('changes nothing where it has no ids', () => {
    const values = [
      ...[null, undefined, 0, 'run.started', [], {}],
      { ...delta, runId: undefined },
      { ...delta, runId: 7 },
      { ...delta, eventId: undefined },
      { ...delta, eventId: '' },
      new Proxy(delta, { get: throwing }),
    ]
    const initial = createInitialAgentState()
    values.forEach((value, index) => {
      expect(reduce(value) === running, `value ${index}`).toBe(true)
      expect(reduce(value, initial) === initial, `value ${index}`).toBe(true)
    })
  })

  it.each<[string, object]>([
    ['no payload', { payload: null }],
    ['a payload that is text', { payload: 'x', type: 'tool.requested' }],
    ['a type that is none', { type: 'run.waiting' }],
    ['a type that every object inherits', { type: 'constructor' }],
    ['no type', { type: undefined }],
    ['no sequence', { sequence: undefined }],
    ['a sequence that is text', { sequence: '9' }],
    ['an endless sequence', { sequence: Infinity }],
    ['no time', { timestamp: undefined }],
    ['an end without a time', { type: 'run.completed', payload: {}, timestamp: NaN }],
    ['no entity’s id', { type: 'task.created', payload: { title: 'x' } }],
    ['a delta that is no content', { payload: { messageId: 'm1', delta: 5 } }],
    ['a part that is none', { payload: { messageId: 'm1', delta: [{ type: 'text', text: 'a' }, null] } }],
    ['an end whose content is none', { type: 'message.completed', payload: { messageId: 'm1', content: 5 } }],
    ['reasoning that is no text', { type: 'reasoning.delta', payload: { reasoningId: 'g1', delta: {} } }],
    ['arguments that are no text', { type: 'tool.arguments_delta', payload: { toolCallId: 't1' } }],
  ])('is an issue where it has them, and is known when it comes again: %s', (_fault, changes) => {
    const broken = { ...delta, timestamp: delta.timestamp + 1, meta: { note: 'x' }, ...changes }
    const state = reduce(broken)
    expect(state.issues).toMatchObject([{ eventId: delta.eventId, runId: 'r1' }])
    expect(contentOf(state)).toEqual(contentOf(running))
    expect(timesOf(state)).toEqual(timesOf(running))
    expect(reduce(broken, state)).toBe(state)
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
    const after = createEvent('message.delta', { messageId: 'm1', delta: 'y' }, { sequence: 5 })
    expect(contentOf(reduce(after, state)).messages).toEqual(['y'])
    expect(() => createAgentStore({ initialState: running, protocolMode: 'strict' }).dispatch(broken as never)).toThrow(
      expect.objectContaining({ name: 'AgentProtocolError' }),
    )
  })

  it('is not a start of a run or session without a session or a time', () => {
    for (const changes of [{ sessionId: undefined }, { timestamp: undefined }, { payload: null }]) {
      for (const type of ['run.started', 'session.started'] as const) {
        const state = reduce({ ...createEvent(type, {}), ...changes }, createInitialAgentState())
        expect(state).toMatchObject({ runs: {}, sessions: {}, lastSequenceByRun: {}, issues: [{ runId: 'r1' }] })
      }
    }
  })

  it('throws nowhere, whichever field is what, and ends alike in a batch and one by one', () => {
    const anything = fc.oneof(
      fc.constantFrom(undefined, null, '', '__proto__', NaN, -1, [], {}, 'r1', 's1', 7),
      fc.anything({ maxDepth: 1 }),
    )
    const fields = ['type', 'eventId', 'sessionId', 'runId', 'sequence', 'timestamp', 'parentId', 'payload', 'meta']
    const broken = fc
      .tuple(fc.constantFrom(...reducerTable), fc.constantFrom(...fields), anything, fc.nat(30))
      .map(([row, field, value, sequence]) => ({
        ...createEvent(row.type, payloadOf(row.type), { sequence, eventId: `e${sequence}` }),
        [field]: value,
      }))
    fc.assert(
      fc.property(fc.array(broken, { maxLength: 12 }), (events) => {
        const list = [...script, ...events] as AgentEvent[]
        const oneByOne = list.reduce(reduceAgentState, createInitialAgentState())
        expect(oneByOne).toEqual(reduceAgentEvents(createInitialAgentState(), list))
      }),
      { numRuns: 300 },
    )
  })
})
