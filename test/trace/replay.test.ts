import fc from 'fast-check'
import { createAgentEventFactory, createAgentReplay, replayAgentEvents, type AgentEvent } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { createSampleEvents } from './createSampleEvents.ts'

const foldTo = (events: readonly AgentEvent[], sequence: number) =>
  replayAgentEvents(events.filter((event) => event.sequence <= sequence))

describe('a replay', () => {
  it('gives at every sequence the fold of the events up to it, forth and back', () => {
    const events = createSampleEvents({ deltas: 1200 })
    const { getStateAt } = createAgentReplay({ events, maxKeyframes: 3 })
    const folds = new Map(
      [-1, 0, 1, 7, 14, 255, 256, 257, 500, 512, 900, 1219, 1220, 1221, 5000].map((at) => [at, foldTo(events, at)]),
    )
    for (const at of [...folds.keys(), ...[...folds.keys()].reverse()]) expect(getStateAt(at)).toEqual(folds.get(at))
    const short = createSampleEvents()
    const replay = createAgentReplay({ events: short })
    const every = [-1, ...short.map(({ sequence }) => sequence)]
    for (const at of [...every, ...[...every].reverse()]) expect(replay.getStateAt(at)).toEqual(foldTo(short, at))
  })

  it('gives the same in whatever order it is asked, with sequences that leave gaps', () => {
    const events = createSampleEvents({ deltas: 700 }).map((event) => ({ ...event, sequence: event.sequence * 3 }))
    const last = events.at(-1)!.sequence
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2, max: last + 2 }), { maxLength: 6 }), (asked) => {
        const replay = createAgentReplay({ events, maxKeyframes: 2 })
        for (const at of asked) expect(replay.getStateAt(at)).toEqual(foldTo(events, at))
      }),
      { numRuns: 15 },
    )
  })

  it('says how many events stand up to a sequence', () => {
    const events = createSampleEvents().map((event) => ({ ...event, sequence: event.sequence * 2 }))
    const { getPosition } = createAgentReplay({ events })
    for (const at of [-1, 0, 1, 2, 3, 21, 46, 100, Infinity]) {
      expect(getPosition(at)).toBe(events.filter(({ sequence }) => sequence <= at).length)
    }
    expect(createAgentReplay({ events: [] }).getPosition(3)).toBe(0)
  })

  it('looks at a few hundred events to step back from the end of 20,000, and at one to step on', () => {
    let reads = new Set<number>()
    const events = createSampleEvents({ deltas: 20_000 }).map(({ payload, ...event }) =>
      Object.defineProperty(event, 'payload', {
        get() {
          reads.add(event.sequence)
          return payload
        },
      }),
    ) as AgentEvent[]
    const { getStateAt } = createAgentReplay({ events })
    const count = (sequence: number) => {
      reads = new Set()
      getStateAt(sequence)
      return reads.size
    }
    expect(count(Infinity)).toBe(events.length)
    for (const at of [19_900, 19_899, 10_000, 5, 12_345]) expect(count(at)).toBeLessThan(320)
    expect(count(12_346)).toBe(1)
    expect(count(12_346)).toBe(0)
  })

  it('holds where a log makes very many things', () => {
    const { create } = createAgentEventFactory({ sessionId: 's1', runId: 'r1', initialSequence: 0, now: () => 1 })
    const events = [
      create('run.started', {}),
      ...Array.from({ length: 40_000 }, (_, index) => create('task.created', { taskId: `t${index}`, title: 'T' })),
    ]
    const { getStateAt } = createAgentReplay({ events })
    getStateAt(Infinity)
    for (const at of [39_000, 500]) expect(getStateAt(at).order).toHaveLength(at - 1)
  })

  it('gives the same state object where nothing else was asked for meanwhile, and shares what did not change', () => {
    const events = createSampleEvents()
    const { getStateAt } = createAgentReplay({ events })
    const before = getStateAt(20)
    expect(getStateAt(20)).toBe(before)
    expect(getStateAt(21).toolCalls).toBe(before.toolCalls)
  })

  it('records what breaks the rules, and throws nothing', () => {
    const [first, , ...rest] = createSampleEvents()
    const { getStateAt } = createAgentReplay({ events: [first!, ...rest] })
    expect(getStateAt(Infinity).issues).toMatchObject([{ code: 'missing_entity' }])
  })
})
