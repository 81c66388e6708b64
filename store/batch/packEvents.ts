import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import { hasEventEnvelope } from '../../src/protocol/hasEventEnvelope.ts'
import { isRecord } from '../../src/protocol/predicates.ts'
import { isDelta } from '../../src/state/isDelta.ts'
import { defaultIdSequence } from '../../src/state/processed/defaultIdSequence.ts'
import { isDefaultEventId } from '../../src/state/processed/isDefaultEventId.ts'
import type { AgentReceivedDelta, AgentReceivedEvent } from './agentReceivedEvent.ts'
import { receivedEvents } from './receivedEvents.ts'

/** A delta that others of the batch are told by, and what is asked of it for each of these. */
interface Stream {
  readonly index: number
  readonly head: AgentEvent
  readonly payloadKeys: number
  /** The payload's fields apart from its delta. */
  readonly fields: readonly (readonly [name: string, value: unknown])[]
}

/** Of how many streams at once, which take turns, each delta finds the one that it is like. */
const maxStreams = 8

/**
 * Writes what the deltas of a batch have in common once, as ids are most of a delta's JSON; never throws. What is
 * not all but told by another event stands as it is; what is no event at all, which nothing is made of, is left out.
 */
export function packEvents(events: readonly AgentEvent[]): readonly AgentReceivedEvent[] {
  if (!events.every(isRecord)) return packEvents(events.filter(isRecord))
  if (events.length === 1) return events
  const streams: Stream[] = []
  let hasPacked = false
  const packed = events.map((event, index) => {
    const delta = packDelta(event, index, streams)
    hasPacked ||= delta !== undefined
    return delta ?? event
  })
  if (!hasPacked) return events
  receivedEvents.set(packed, events)
  return packed
}

/** Packs an event, or adds it to the streams where it is the first delta of its kind. */
function packDelta(event: AgentEvent, index: number, streams: Stream[]): AgentReceivedDelta | undefined {
  try {
    for (const stream of streams) {
      const { head } = stream
      if (!isLike(event, stream)) continue
      const sequence = event.sequence - head.sequence
      const elapsed = event.timestamp - head.timestamp
      // Fractions may not add up again, and what is no number never does.
      const isExact = head.sequence + sequence === event.sequence && head.timestamp + elapsed === event.timestamp
      if (!isExact || !Number.isFinite(sequence) || !Number.isFinite(elapsed)) continue
      const { delta } = event.payload as { delta: unknown }
      const { eventId, runId } = event
      const hasDefaultId = defaultIdSequence(eventId, runId.length) === event.sequence && isDefaultEventId(event)
      return hasDefaultId ? [stream.index, delta, sequence, elapsed] : [stream.index, delta, sequence, elapsed, eventId]
    }
    if (!isDelta(event) || !hasEventEnvelope(event) || countKeys(event) !== countFields(event)) return undefined
    const fields = Object.entries(event.payload).filter(([name]) => name !== 'delta')
    if (fields.some(([, value]) => value === undefined)) return undefined
    streams.unshift({ index, head: event, payloadKeys: fields.length + 1, fields })
    if (streams.length > maxStreams) streams.pop()
  } catch {
    // No event of the protocol's: it stands as it is.
  }
  return undefined
}

/** Says whether an event is a stream's but for its sequence, time, id and delta. Asked of every event. */
function isLike(event: AgentEvent, { head, payloadKeys, fields }: Stream): boolean {
  if (event.type !== head.type) return false
  const payload = event.payload as Record<string, unknown>
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index]!
    if (payload[field[0]] !== field[1]) return false
  }
  return (
    event.runId === head.runId &&
    event.sessionId === head.sessionId &&
    event.parentId === head.parentId &&
    event.protocolVersion === head.protocolVersion &&
    typeof event.eventId === 'string' &&
    payload.delta !== undefined &&
    // The heads' fields are all there; there must be no others.
    countKeys(payload) === payloadKeys &&
    countKeys(event) === countFields(head) &&
    hasLikeMeta(event.meta, head.meta)
  )
}

function hasLikeMeta(one: AgentEvent['meta'], other: AgentEvent['meta']): boolean {
  if (one === other) return true
  if (!isRecord(one) || !isRecord(other) || countKeys(one) !== countKeys(other)) return false
  return Object.entries(one).every(([name, value]) => Object.hasOwn(other, name) && other[name] === value)
}

/** How many fields an event has that has no others than the protocol's. */
function countFields({ parentId, meta }: AgentEvent): number {
  return 8 + (parentId === undefined ? 0 : 1) + (meta === undefined ? 0 : 1)
}

function countKeys(record: object): number {
  let count = 0
  for (const _ in record) count += 1
  return count
}
