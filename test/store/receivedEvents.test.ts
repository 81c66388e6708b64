import { configureStore, type UnknownAction } from '@reduxjs/toolkit'
import fc from 'fast-check'
import { createAgentRuntime, getReceivedEvents, replayAgentEvents, type AgentEvent } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { arbitraryScripts, cutAt } from '../state/arbitraryScripts.ts'
import { expectSilentConsole } from './createHarness.ts'
import { createRun, createShortRun } from './createRunEvents.ts'

expectSilentConsole()

const agent = createAgentRuntime({ reducerPath: 'agent' })
const { eventsReceived } = agent.events

const createStore = () =>
  configureStore({
    reducer: { agent: agent.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware),
    devTools: false,
  })

/** An action as an import of DevTools, or another page, has it. */
const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

const uuidOf = (name: number) => `5d1f0c3e-aaaa-4bbb-8ccc-${String(name).padStart(12, '0')}`

/** Streams that take turns, under ids as long as ids are; each event's id is its own, or the default one. */
function createStreams(options: { streams: number; deltas: number; hasOwnIds?: boolean; step?: number }): AgentEvent[] {
  const { streams, deltas, hasOwnIds = false, step = 7 } = options
  const run = createRun(uuidOf(1), uuidOf(2))
  let made = 0
  const stamp = () => ({ ...(hasOwnIds && { eventId: uuidOf(100 + made) }), timestamp: 1000 + step * (made += 1) })
  const events: AgentEvent[] = [run.create('run.started', {}, stamp())]
  for (let stream = 0; stream < streams; stream += 1) {
    events.push(run.create('message.started', { messageId: uuidOf(10 + stream), role: 'assistant' }, stamp()))
  }
  for (let index = 0; index < deltas; index += 1) {
    events.push(run.create('message.delta', { messageId: uuidOf(10 + (index % streams)), delta: 'token ' }, stamp()))
  }
  return events
}

const sizeOf = (events: readonly AgentEvent[]) =>
  JSON.stringify(eventsReceived({ sessionId: uuidOf(2), events }, 1)).length

describe('the events of an action', () => {
  it('are those that it was made of, also after JSON, and end in the state of a plain replay, however they are cut', () => {
    fc.assert(
      fc.property(
        arbitraryScripts({ early: true, maxLength: 80 }),
        fc.array(fc.nat(80), { maxLength: 10 }),
        (events, cuts) => {
          const [live, imported] = [createStore(), createStore()]
          cutAt(events, cuts).forEach((batch, index) => {
            const action = eventsReceived({ sessionId: 's1', events: batch }, index + 1)
            const copied = copy(action)
            expect(getReceivedEvents(action)).toEqual(batch)
            expect(getReceivedEvents(copied)).toEqual(copy(batch))
            live.dispatch(action)
            imported.dispatch(copied)
          })
          const replayed = replayAgentEvents(events)
          expect(agent.selectors.selectAgentState(live.getState(), 's1')).toEqual(replayed)
          expect(agent.selectors.selectAgentState(imported.getState(), 's1')).toEqual(replayed)
          expect(imported.getState()).toEqual(copy(live.getState()))
        },
      ),
      { numRuns: 100 },
    )
  })

  it.each([
    ['the default ids', { streams: 1 }, 30],
    ['ids of their own', { streams: 1, hasOwnIds: true }, 70],
    ['streams that take turns', { streams: 5 }, 30],
  ])('take little more than their text does: %s', (_, options, most) => {
    const few = createStreams({ ...options, deltas: 100 })
    const many = createStreams({ ...options, deltas: 1100 })
    expect((sizeOf(many) - sizeOf(few)) / 1000).toBeLessThan(most)
    expect(getReceivedEvents(copy(eventsReceived({ sessionId: uuidOf(2), events: many }, 1)))).toEqual(many)
  })

  it('are exact where times are fractions, and where fields differ that the protocol does not read', () => {
    const odd = createStreams({ streams: 2, deltas: 40, step: 0.1 }).map((event, index) => ({
      ...event,
      ...(index % 3 === 0 && { parentId: 'p' }),
      ...(index % 4 === 0 && { meta: { index } }),
      ...(index % 7 < 3 && { [index % 7 === 1 ? 'vendor' : 'other']: index % 2 }),
      payload: { ...event.payload, ...(index % 5 < 2 && { [index % 5 === 0 ? 'note' : 'tone']: null }) },
    })) as AgentEvent[]
    expect(getReceivedEvents(copy(eventsReceived({ sessionId: uuidOf(2), events: odd }, 1)))).toEqual(odd)
  })

  it('are exact where a field is there, yet undefined', () => {
    const [, , ...deltas] = createStreams({ streams: 1, deltas: 4 })
    const events = deltas.map((event, index) => ({
      ...event,
      ...(index % 2 === 0 ? { parentId: undefined } : { vendor: 'x' }),
      payload: { ...event.payload, ...(index < 2 ? { note: undefined } : { tone: 'low' }) },
    })) as AgentEvent[]
    expect(getReceivedEvents(copy(eventsReceived({ sessionId: uuidOf(2), events }, 1)))).toEqual(copy(events))
  })

  it('are the same list for each reader of an action', () => {
    const action = eventsReceived({ sessionId: 's1', events: createShortRun('r1') }, 1)
    expect(getReceivedEvents(action)).toBe(getReceivedEvents({ ...action, payload: { ...action.payload } }))
    const copied = copy(action)
    expect(getReceivedEvents(copied)).toBe(getReceivedEvents(copied))
  })

  it('may stand in it whole, as somebody writes it by hand', () => {
    const store = createStore()
    const events = createShortRun('r1')
    store.dispatch({ type: 'agent/eventsReceived', payload: { sessionId: 's1', events }, meta: { batch: 1 } })
    expect(agent.selectors.selectAgentState(store.getState(), 's1')).toEqual(replayAgentEvents(events))
  })
})

describe('an action that nobody should have made', () => {
  const list = (...events: unknown[]) => ({ sessionId: 's1', events })
  const [start] = createShortRun('r1')
  /** What JSON can hold, and neither `Number` nor `String` can read. */
  const odd = { toString: 1, valueOf: 1 }
  const unreadable = { runId: odd, type: 'message.delta', sequence: odd, timestamp: odd }

  it.each<[string, unknown]>([
    ['no payload', undefined],
    ['no object', 'text'],
    ['no session', { events: createShortRun('r1') }],
    ['no list', { sessionId: 's1', events: { length: 2 } }],
    ['no events', list(null, 7, 'text', [], [[]], {})],
    ['deltas of nothing', list([0, 'a', 1, 1], [5, 'a', 1, 1], [-1, 'a'], ['length', 'a'], ['__proto__', 'a'])],
    ['deltas of what is no event', list({}, [0, 'a', 1, 1], { payload: {} }, [2, 'a', {}, null])],
    ['deltas of what is neither number nor text', list({ ...start, ...unreadable }, [0, 'a', 1, 1], [0, 'a', odd, odd])],
    ['cursors that are none', { ...list(), cursors: { r1: 7 } }],
  ])('throws nothing and makes nothing up: %s', (_, payload) => {
    const store = createStore()
    store.dispatch(eventsReceived({ sessionId: 's1', events: [start!] }, 1))
    const before = agent.selectors.selectAgentState(store.getState(), 's1')
    const action = { type: 'agent/eventsReceived', payload, meta: { batch: 2 } } as UnknownAction
    expect(() => agent.devTools.actionSanitizer(action, 1)).not.toThrow()
    store.dispatch(action)
    expect(agent.selectors.selectAgentState(store.getState(), 's1')).toEqual(before)
    expect(Object.keys(store.getState().agent.agentState.sessions)).toEqual(['s1'])
  })

  it('records what it holds of events that are refused', () => {
    const store = createStore()
    const strange = { ...start, eventId: 'e9', type: 7 } as unknown as AgentEvent
    const events = [start!, null, strange, ['x'], { ...start, eventId: 'e10', sequence: 'x' }] as AgentEvent[]
    store.dispatch(eventsReceived({ sessionId: 's1', events }, 1))
    const state = agent.selectors.selectAgentState(store.getState(), 's1')
    expect(state).toEqual(replayAgentEvents(events))
    expect(state.issues.map(({ eventId }) => eventId)).toEqual(['e9', 'e10'])
  })
})
