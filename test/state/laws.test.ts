import fc from 'fast-check'
import {
  createInitialAgentState,
  isAgentEvent,
  reduceAgentEvents,
  reduceAgentState,
  replayAgentEvents,
} from 'redux-agent'
import type { AgentEvent, AgentState } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { arbitraryScripts, cutAt } from './arbitraryScripts.ts'
import { createEvent } from './createScript.ts'
import { deepFreeze } from './deepFreeze.ts'

const places = fc.array(fc.nat(200), { maxLength: 8 })
const foldOneByOne = (events: readonly AgentEvent[]) =>
  events.reduce((state, event) => reduceAgentState(deepFreeze(state), event), createInitialAgentState())
const throughJson = (state: AgentState) => JSON.parse(JSON.stringify(state)) as AgentState
// By hand, as `toStrictEqual` takes a key `constructor` for the value's class.
const holdsUndefined = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.values(value).some(holdsUndefined))

describe('for every script of interleaved runs', () => {
  it('its events are valid, so that the laws below speak of what can come', () => {
    fc.assert(
      fc.property(arbitraryScripts({ early: true }), (events) => {
        expect(events.every(isAgentEvent)).toBe(true)
      }),
    )
  })

  it('any split into batches, one by one and the replay end in the same state', () => {
    const scripts = arbitraryScripts({ early: true })
    fc.assert(
      fc.property(scripts, places, (events, cuts) => {
        const replayed = replayAgentEvents(deepFreeze(events))
        const batched = cutAt(events, cuts).reduce(
          (state, batch) => reduceAgentEvents(deepFreeze(state), batch),
          createInitialAgentState(),
        )
        expect(foldOneByOne(events)).toEqual(replayed)
        expect(batched).toEqual(replayed)
      }),
      { numRuns: 300 },
    )
  })

  it('events that come again, at whatever place and in whatever batch, change nothing', () => {
    const duplicates = fc.array(fc.tuple(fc.nat(200), fc.nat(200)), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(arbitraryScripts(), duplicates, places, (events, repeated, cuts) => {
        fc.pre(events.length > 0)
        const delivered = [...events]
        for (const [from, distance] of repeated) {
          const event = events[from % events.length]!
          const first = delivered.indexOf(event)
          delivered.splice(first + 1 + (distance % (delivered.length - first)), 0, event)
        }
        const state = cutAt(delivered, cuts).reduce(reduceAgentEvents, createInitialAgentState())
        expect(state).toEqual(replayAgentEvents(events))
      }),
      { numRuns: 300 },
    )
  })

  it('an event that was just processed gives the very same state', () => {
    fc.assert(
      fc.property(arbitraryScripts({ early: true }), (events) => {
        let state = createInitialAgentState()
        for (const event of events) {
          state = reduceAgentState(state, event)
          expect(reduceAgentState(state, event)).toBe(state)
          expect(reduceAgentEvents(state, [event, event])).toBe(state)
        }
        expect(reduceAgentEvents(state, [])).toBe(state)
      }),
    )
  })

  it('a state that went through JSON is equal and goes on alike', () => {
    fc.assert(
      fc.property(arbitraryScripts({ early: true }), fc.nat(60), (events, place) => {
        const middle = replayAgentEvents(events.slice(0, place))
        const stored = throughJson(middle)
        expect(stored).toEqual(middle)
        expect(holdsUndefined(middle)).toBe(false)
        const resumed = reduceAgentEvents(deepFreeze(stored), events.slice(place))
        expect(resumed).toEqual(replayAgentEvents(events))
        expect(replayAgentEvents(events.slice(place), stored)).toEqual(resumed)
      }),
    )
  })

  it('all that it had refused is in the issues or in their count', () => {
    fc.assert(
      fc.property(arbitraryScripts({ early: true, maxLength: 300 }), (events) => {
        const state = replayAgentEvents(events)
        expect(state.issues.length).toBeLessThanOrEqual(100)
        if (state.droppedIssues > 0) expect(state.issues).toHaveLength(100)
        expect(foldOneByOne(events)).toEqual(state)
      }),
      { numRuns: 30 },
    )
  })
})

describe('the record of refusals', () => {
  const started = createEvent('run.started', {}, { sequence: 1 })
  const refusedBy = (runId: string, index: number) =>
    createEvent('tool.running', { toolCallId: 't' }, { runId, sequence: 2 + index, eventId: `e${index}` })

  it('keeps the latest hundred and counts the others', () => {
    const refused = Array.from({ length: 250 }, (_, index) => refusedBy('r1', index))
    const state = replayAgentEvents([started, ...refused])
    expect(state.issues.map(({ eventId }) => eventId)).toEqual(refused.slice(150).map(({ eventId }) => eventId))
    expect(state.droppedIssues).toBe(150)
    expect(foldOneByOne([started, ...refused])).toEqual(state)
  })

  it('is the same by batch and one by one where an old refusal comes again', () => {
    const refused = Array.from({ length: 130 }, (_, index) => refusedBy('unknown', index))
    const events = [...refused, refused[0]!, refused[129]!, refused[0]!]
    expect(replayAgentEvents(events)).toEqual(foldOneByOne(events))
  })

  it('holds an event once, which a running run refused and then the ended one', () => {
    const refused = createEvent('tool.running', { toolCallId: 't' }, { sequence: 50 })
    const events = [started, refused, createEvent('run.completed', {}, { sequence: 10 }), refused]
    expect(replayAgentEvents(events).issues).toHaveLength(1)
    expect(foldOneByOne(events)).toEqual(replayAgentEvents(events))
  })

  it('keeps a bounded list of ten thousand refused events, in one batch and one by one', () => {
    const inRun = Array.from({ length: 10_000 }, (_, index) => refusedBy('r1', index))
    const elsewhere = Array.from({ length: 10_000 }, (_, index) => refusedBy('unknown', index))
    expect(replayAgentEvents([started, ...inRun, ...elsewhere]).droppedIssues).toBe(19_900)
    expect(foldOneByOne(elsewhere.slice(0, 2000)).droppedIssues).toBe(1900)
  })
})
