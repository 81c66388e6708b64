import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import { hasEventEnvelope } from '../../src/protocol/hasEventEnvelope.ts'
import { isRecord } from '../../src/protocol/predicates.ts'
import type { AgentReceivedEvent } from './agentReceivedEvent.ts'
import { receivedEvents } from './receivedEvents.ts'

const none: readonly AgentEvent[] = []

/**
 * Gives the events of an `eventsReceived` action, in their order: in the action a delta is cut down to what sets it
 * apart from the one before it. What is no event at all is left out; never throws.
 *
 * @example
 * startListening({
 *   actionCreator: agent.events.eventsReceived,
 *   effect(action) {
 *     for (const event of getReceivedEvents(action)) if (event.type === 'tool.completed') refresh(event.payload)
 *   },
 * })
 */
export function getReceivedEvents(action: {
  readonly payload: { readonly events: readonly AgentReceivedEvent[] }
}): readonly AgentEvent[] {
  // Anybody may dispatch one, or import it.
  const list = (action.payload as { events?: unknown } | null | undefined)?.events
  return Array.isArray(list) ? readEvents(list) : none
}

function readEvents(list: readonly AgentReceivedEvent[]): readonly AgentEvent[] {
  // Most lists of a few events, of which there are many, have nothing to read.
  if (list.every(isRecord)) return list as readonly AgentEvent[]
  const known = receivedEvents.get(list)
  if (known) return known
  const events = list.flatMap((item) => readEvent(item, list))
  receivedEvents.set(list, events)
  return events
}

function readEvent(item: unknown, list: readonly unknown[]): AgentEvent | [] {
  if (isRecord(item)) return item as unknown as AgentEvent
  if (!Array.isArray(item)) return []
  const [like, delta, steps, elapsed, eventId] = item as unknown[]
  const head = list[like as number]
  if (!hasEventEnvelope(head) || typeof steps !== 'number' || typeof elapsed !== 'number') return []
  const sequence = head.sequence + steps
  return {
    ...head,
    eventId: eventId ?? `${head.runId}:${sequence}:${head.type}`,
    sequence,
    timestamp: head.timestamp + elapsed,
    payload: { ...head.payload, delta },
  } as unknown as AgentEvent
}
