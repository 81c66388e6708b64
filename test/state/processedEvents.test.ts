import fc from 'fast-check'
import { getAgentEntityKey, reduceAgentEvents, reduceAgentState, replayAgentEvents, type AgentState } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { cutAt, hostileIds } from './arbitraryScripts.ts'
import { createEvent } from './createScript.ts'
import { deepFreeze } from './deepFreeze.ts'

interface Arrival {
  sequence: number
  eventId: string
}

const sequences = fc.oneof(
  { weight: 6, arbitrary: fc.constant(1) },
  { weight: 2, arbitrary: fc.integer({ min: -12, max: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: 60, max: 70 }) },
  { weight: 1, arbitrary: fc.constantFrom(5000, 2 ** 40) },
)
const idKinds = fc.oneof(
  { weight: 6, arbitrary: fc.constant('own' as const) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('other type', 'near', 'zeros', 'custom', 'other run', 'number', 'huge', 'short'),
  },
)
const runIds = fc.constantFrom(...hostileIds, 'a:5:reasoning.delta', ':', 'r1:')

/** Deltas of one run whose ids are like each other in every way that a compact record could take for the same. */
const arrivals = fc
  .tuple(runIds, fc.array(fc.tuple(sequences, idKinds, fc.nat(30)), { maxLength: 80 }))
  .map(([runId, list]) => {
    let last = 0
    const made: Arrival[] = list.map(([step, kind, number]) => {
      const sequence = Math.max(0, Math.min(last + step, Number.MAX_SAFE_INTEGER))
      last = Math.max(last, sequence)
      return { sequence, eventId: idOf(runId, { sequence, kind, number }) }
    })
    return { runId, made }
  })

function idOf(runId: string, event: { sequence: number; kind: string; number: number }): string {
  const { sequence, kind, number } = event
  switch (kind) {
    case 'other type':
      return `${runId}:${sequence}:tool.running`
    case 'near':
      return `${runId}:${Math.max(0, sequence + 5 - (number % 10))}:reasoning.delta`
    case 'zeros':
      return `${runId}:0${sequence}:reasoning.delta`
    case 'custom':
      return `id${number}`
    case 'other run':
      return `${'x'.repeat(runId.length)}:${sequence}:reasoning.delta`
    case 'number':
      return `${runId}:${sequence}`
    case 'huge':
      return `${runId}:90071992547409${number}000:reasoning.delta`
    case 'short':
      return `${runId}::reasoning.delta`
    default:
      return `${runId}:${sequence}:reasoning.delta`
  }
}

const begin = (runId: string) => [
  createEvent('run.started', {}, { runId, sequence: 0, eventId: 'start of the run' }),
  createEvent('reasoning.started', { reasoningId: 'x' }, { runId, sequence: 1, eventId: 'start of the reasoning' }),
]
const toEvent = (runId: string, { sequence, eventId }: Arrival, index: number) =>
  createEvent('reasoning.delta', { reasoningId: 'x', delta: `${index};` }, { runId, sequence, eventId })
const contentOf = (state: AgentState, runId: string) => state.reasoning[getAgentEntityKey(runId, 'x')]!.content

/** The plain rule: a set of ids and the last sequence. */
function runModel(made: readonly Arrival[]) {
  const taken = new Set<string>(['start of the run', 'start of the reasoning'])
  let last = 1
  return made.map(({ sequence, eventId }) => {
    if (taken.has(eventId)) return 'absorbed'
    taken.add(eventId)
    if (sequence <= last) return 'refused'
    last = sequence
    return 'applied'
  })
}

describe('the record of processed events', () => {
  it('is exact, event by event, also after each was through JSON', () => {
    fc.assert(
      fc.property(arrivals, fc.boolean(), ({ runId, made }, stores) => {
        const outcomes = runModel(made)
        let state = replayAgentEvents(begin(runId))
        made.forEach((arrival, index) => {
          const next = reduceAgentState(deepFreeze(state), toEvent(runId, arrival, index))
          const isApplied = contentOf(next, runId) !== contentOf(state, runId)
          expect(next === state ? 'absorbed' : isApplied ? 'applied' : 'refused').toBe(outcomes[index])
          state = stores ? (JSON.parse(JSON.stringify(next)) as AgentState) : next
        })
      }),
      { numRuns: 400 },
    )
  })

  it('is exact in batches of any size', () => {
    fc.assert(
      fc.property(arrivals, fc.array(fc.nat(80), { maxLength: 6 }), ({ runId, made }, cuts) => {
        const outcomes = runModel(made)
        const events = made.map((arrival, index) => toEvent(runId, arrival, index))
        const state = cutAt(events, cuts).reduce(reduceAgentEvents, replayAgentEvents(begin(runId)))
        const applied = outcomes.flatMap((outcome, index) => (outcome === 'applied' ? [`${index};`] : []))
        expect(contentOf(state, runId)).toBe(applied.join(''))
        const refused = outcomes.filter((outcome) => outcome === 'refused').length
        expect(state.issues.length + state.droppedIssues).toBe(refused)
      }),
      { numRuns: 400 },
    )
  })

  it('holds many ids of their own, each exactly, and does not grow by what it knows', () => {
    const ids = Array.from({ length: 3000 }, (_, index) =>
      createEvent(
        'reasoning.delta',
        { reasoningId: 'x', delta: '.' },
        {
          sequence: 2 + index * 100,
          eventId: `event-${index}`,
        },
      ),
    )
    const state = reduceAgentEvents(replayAgentEvents(begin('r1')), ids)
    expect(contentOf(state, 'r1')).toHaveLength(3000)
    const stored = JSON.parse(JSON.stringify(state)) as AgentState
    expect(reduceAgentEvents(stored, ids)).toBe(stored)
    expect(contentOf(ids.reduce(reduceAgentState, replayAgentEvents(begin('r1'))), 'r1')).toHaveLength(3000)
  })

  it('is the same for a long batch as for its events one by one, also where types take turns', () => {
    const events = Array.from({ length: 1500 }, (_, index) => {
      const run = { runId: 'r1', sequence: 2 + index }
      if (index % 7 > 2) return createEvent('reasoning.delta', { reasoningId: 'x', delta: `${index};` }, run)
      const approvalId = `a${index}`
      return createEvent('approval.requested', { approvalId, description: 'Go on?', risk: 'low' }, run)
    })
    const start = replayAgentEvents(begin('r1'))
    const state = reduceAgentEvents(start, events)
    expect(state).toEqual(events.reduce(reduceAgentState, start))
    expect(state.processedEvents.r1!.types).toHaveLength(1500)
    expect(reduceAgentEvents(state, events)).toBe(state)
    // Asked within the batch for an id that came long before in it.
    const again = { ...events[3]!, sequence: 5000 }
    expect(reduceAgentEvents(start, [...events, again])).toEqual(state)
  })

  it('tells ids apart that have the same hash', () => {
    const ids = [...Array.from({ length: 200 }, (_, index) => `f${index}`), ...makeCollisions(6)]
    const events = ids.map((eventId, index) =>
      createEvent('reasoning.delta', { reasoningId: 'x', delta: '.' }, { sequence: 2 + index, eventId }),
    )
    const state = events.reduce(reduceAgentState, replayAgentEvents(begin('r1')))
    expect(contentOf(state, 'r1')).toHaveLength(264)
    expect(reduceAgentEvents(state, events)).toBe(state)
    expect(reduceAgentEvents(replayAgentEvents(begin('r1')), events)).toEqual(state)
  })
})

/** Makes 2^blocks ids of one FNV-1a hash: of each block there are two that lead from one hash to the same next one. */
function makeCollisions(blocks: number): string[] {
  let hash = 0x811c9dc5
  let ids = ['']
  for (let block = 0; block < blocks; block += 1) {
    const byHash = new Map<number, string>()
    let seed = block + 1
    for (let pair: string[] | undefined; !pair; ) {
      let text = ''
      let next = hash
      for (let unit = 0; unit < 3; unit += 1) {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
        const code = 0x100 + ((seed >>> 8) & 0x7fff)
        text += String.fromCharCode(code)
        next = Math.imul(next ^ code, 0x01000193)
      }
      const other = byHash.get(next)
      byHash.set(next, text)
      if (other === undefined || other === text) continue
      pair = [other, text]
      hash = next
      ids = ids.flatMap((id) => pair!.map((end) => id + end))
    }
  }
  return ids
}
