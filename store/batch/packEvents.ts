import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import { isRecord } from '../../src/protocol/predicates.ts'
import { isDelta } from '../../src/state/isDelta.ts'
import { defaultIdSequence } from '../../src/state/processed/defaultIdSequence.ts'
import { isDefaultEventId } from '../../src/state/processed/isDefaultEventId.ts'
import type { AgentReceivedDelta, AgentReceivedEvent } from './agentReceivedEvent.ts'
import { receivedEvents } from './receivedEvents.ts'

/** Of how many streams at once, which take turns, each delta finds the one that it is like. */
const maxStreams = 8

/**
 * Writes what the deltas of a batch have in common once, as ids are most of a delta's JSON; never throws. What is
 * not all but told by another event stands as it is; what is no event at all, which nothing is made of, is left out.
 */
export function packEvents(events: readonly AgentEvent[]): readonly AgentReceivedEvent[] {
  if (!events.every(isRecord)) return packEvents(events.filter(isRecord))
  const streams: number[] = []
  let hasPacked = false
  const packed = events.map((event, index) => {
    const delta = packDelta(index, events, streams)
    hasPacked ||= delta !== undefined
    return delta ?? event
  })
  if (!hasPacked) return events
  receivedEvents.set(packed, events)
  return packed
}

/** Packs the event at a place, or adds that to `streams` where it is the first delta of its kind. */
function packDelta(index: number, events: readonly AgentEvent[], streams: number[]): AgentReceivedDelta | undefined {
  try {
    const event = events[index]!
    if (!isDelta(event) || !isRecord(event.payload)) return undefined
    const { delta } = event.payload as { delta?: unknown }
    if (delta === undefined) return undefined
    for (const like of streams) {
      const head = events[like]!
      if (!isLike(event, head)) continue
      const sequence = event.sequence - head.sequence
      const elapsed = event.timestamp - head.timestamp
      // Fractions may not add up again, and what is no number never does.
      const isExact = head.sequence + sequence === event.sequence && head.timestamp + elapsed === event.timestamp
      if (!isExact || !Number.isFinite(sequence) || !Number.isFinite(elapsed)) continue
      const { eventId, runId } = event
      const hasDefaultId = defaultIdSequence(eventId, runId.length) === event.sequence && isDefaultEventId(event)
      return hasDefaultId ? [like, delta, sequence, elapsed] : [like, delta, sequence, elapsed, eventId]
    }
    streams.unshift(index)
    if (streams.length > maxStreams) streams.pop()
  } catch {
    // No event of the protocol's: it stands as it is.
  }
  return undefined
}

/** Says whether two events are equal but for their sequence, time, id and delta. */
function isLike(event: AgentEvent, head: AgentEvent): boolean {
  return (
    event.type === head.type &&
    event.runId === head.runId &&
    event.sessionId === head.sessionId &&
    event.parentId === head.parentId &&
    event.protocolVersion === head.protocolVersion &&
    typeof event.eventId === 'string' &&
    isRecord(event.payload) &&
    areAlike(event.payload, head.payload, 'delta') &&
    (event.meta === undefined ? head.meta === undefined : isRecord(head.meta) && areAlike(event.meta, head.meta)) &&
    countKeys(event) === countKeys(head)
  )
}

/** Says whether two records have the same fields, all but one of them with the same plain values. */
function areAlike(one: object, other: object, but?: string): boolean {
  for (const key in one) {
    if (!Object.hasOwn(other, key)) return false
    if (key !== but && (one as Record<string, unknown>)[key] !== (other as Record<string, unknown>)[key]) return false
  }
  return countKeys(one) === countKeys(other)
}

function countKeys(record: object): number {
  let count = 0
  for (const _ in record) count += 1
  return count
}
