import type { AgentEvent } from '../../src/protocol/agentEvent.ts'

/**
 * A delta of which all else stands in an event before it: that one's place in the list, the text (or parts), how much
 * higher its sequence is and how many milliseconds later it came, and its id where that is not `runId:sequence:type`.
 */
export type AgentReceivedDelta = readonly [
  like: number,
  delta: unknown,
  sequence: number,
  elapsed: number,
  eventId?: string,
]

/** An event as an `eventsReceived` action holds it; `getReceivedEvents` gives the events themselves. */
export type AgentReceivedEvent = AgentEvent | AgentReceivedDelta
