import fc from 'fast-check'
import { agentEventTypes, type AgentEvent, type AgentEventType } from 'redux-agent'
import { createEvent } from './createScript.ts'
import { payloadOf, reducerTable } from './reducerTable.ts'

/** Ids that a careless record would take for something else. */
export const hostileIds = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'r1:2',
  '0',
  ' ',
  '💥',
  'r1',
] as const

const entityTypes = agentEventTypes.filter((type) => reducerTable.some((row) => row.type === type && row.entity))

interface Step {
  run: number
  type: AgentEventType
  entity: number
  text: string
  /** What is odd about the event; most are not. */
  oddity: 'none' | 'gap' | 'leap' | 'late' | 'foreign' | 'custom' | 'alias' | 'stated' | 'end' | 'restart'
  number: number
}

/** What a script may hold besides the plain course of its runs. */
interface ScriptOptions {
  /** Events of a run before its start. */
  early?: boolean
  /** At most so many events. */
  maxLength?: number
}

const oddities: fc.Arbitrary<Step['oddity']> = fc.oneof(
  { weight: 12, arbitrary: fc.constant('none' as const) },
  { weight: 8, arbitrary: fc.constantFrom('gap', 'leap', 'late', 'foreign', 'custom', 'alias', 'stated', 'restart') },
  { weight: 1, arbitrary: fc.constant('end' as const) },
)

const step: fc.Arbitrary<Step> = fc.record({
  run: fc.nat(3),
  type: fc.constantFrom(...entityTypes),
  entity: fc.nat(2),
  text: fc.oneof(fc.constantFrom('', 'a', '\ud83d', '\ude00'), fc.string({ maxLength: 4 })),
  oddity: oddities,
  number: fc.nat(200),
})

/** Plausible scripts of several interleaved runs, with all that can go wrong on the way; no event stands in it twice. */
export function arbitraryScripts(options: ScriptOptions = {}): fc.Arbitrary<readonly AgentEvent[]> {
  const { early = false, maxLength = 60 } = options
  const ids = fc.uniqueArray(fc.constantFrom(...hostileIds, 'r2', 'r3', 'r4'), { minLength: 4, maxLength: 4 })
  return fc
    .tuple(ids, fc.array(step, { maxLength }), fc.boolean())
    .map(([runIds, steps, announced]) => buildScript(runIds, steps, { early, announced }))
}

function buildScript(runIds: string[], steps: readonly Step[], options: { early: boolean; announced: boolean }) {
  const events: AgentEvent[] = []
  const next = new Map<string, number>()
  const take = (runId: string, leap = 0) => {
    const sequence = (next.get(runId) ?? 0) + leap
    next.set(runId, sequence + 1)
    return sequence
  }
  const begin = (runId: string) => {
    if (next.has(runId)) return
    if (options.announced && next.size === 0)
      events.push(createEvent('session.started', {}, { runId, sequence: take(runId) }))
    events.push(createEvent('run.started', {}, { runId, sequence: take(runId) }))
  }
  steps.forEach((entry, index) => {
    const runId = runIds[entry.run]!
    if (!options.early || entry.number > 20) begin(runId)
    events.push(buildEvent(entry, { runId, index, take, started: next.has(runId) }))
  })
  const seen = new Set<string>()
  return events.filter((event) => {
    const key = JSON.stringify([event.runId, event.eventId])
    return !seen.has(key) && seen.add(key)
  })
}

function buildEvent(
  { type, entity, text, oddity, number }: Step,
  run: { runId: string; index: number; take: (runId: string, leap?: number) => number; started: boolean },
): AgentEvent {
  const { runId, index, take } = run
  if (!run.started)
    return createEvent(type, payloadFor(type, entity, text), { runId, sequence: number, eventId: `early${index}` })
  switch (oddity) {
    case 'none':
      return createEvent(type, payloadFor(type, entity, text), { runId, sequence: take(runId) })
    case 'gap':
      return createEvent(type, payloadFor(type, entity, text), { runId, sequence: take(runId, 1 + (number % 5)) })
    case 'leap':
      return createEvent(type, payloadFor(type, entity, text), { runId, sequence: take(runId, 60 + number) })
    case 'late':
      return createEvent(type, payloadFor(type, entity, text), {
        runId,
        sequence: number % 10,
        eventId: `late${index}`,
      })
    case 'foreign':
      return createEvent(type, payloadFor(type, entity, text), { runId, sessionId: 's2', sequence: take(runId) })
    case 'custom':
      return createEvent(type, payloadFor(type, entity, text), { runId, sequence: take(runId), eventId: `c${number}` })
    case 'alias': {
      // An id that reads like the default id of another event of this run.
      const eventId = `${runId}:${'0'.repeat(number % 2)}${number % 12}:${type}`
      return createEvent(type, payloadFor(type, entity, text), { runId, sequence: take(runId), eventId })
    }
    case 'stated':
      return createEvent(type, payloadFor(type, entity, text), {
        runId,
        sequence: take(runId),
        parentId: 'p',
        meta: { text },
      })
    case 'restart':
      return createEvent('run.started', {}, { runId, sequence: take(runId) })
    case 'end':
      return createEvent('run.completed', { output: text }, { runId, sequence: take(runId) })
  }
}

const idFields = ['messageId', 'reasoningId', 'toolCallId', 'approvalId', 'taskId', 'artifactId']

function payloadFor<Type extends AgentEventType>(type: Type, entity: number, text: string) {
  const payload: Record<string, unknown> = { ...payloadOf(type) }
  for (const field of idFields) if (field in payload) payload[field] = hostileIds[entity]
  if ('delta' in payload) payload.delta = type === 'message.delta' && text === 'a' ? [{ type: 'text', text }] : text
  return payload as never
}

/** Cuts a list into pieces at arbitrary places. */
export function cutAt<Item>(items: readonly Item[], places: readonly number[]): (readonly Item[])[] {
  const cuts = [...new Set(places.map((place) => place % (items.length + 1)))].sort((left, right) => left - right)
  return [0, ...cuts].map((cut, index) => items.slice(cut, cuts[index] ?? items.length))
}
