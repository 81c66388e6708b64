import type { AgentEvent } from './agentEvent.ts'
import { agentEventPayloads } from './agentEventPayloads.ts'
import { hasEventEnvelope } from './hasEventEnvelope.ts'
import { isJsonValue } from './isJsonValue.ts'

/**
 * Says whether a value is an AgentEvent 0.1: its envelope, the fields that its type's payload must have, and that
 * all of it is JSON; never throws. Unknown payload fields pass, and the value itself is left as it is.
 *
 * @example
 * const events = frames.map((frame) => JSON.parse(frame)).filter(isAgentEvent)
 */
export function isAgentEvent(value: unknown): value is AgentEvent {
  try {
    return hasEventEnvelope(value) && agentEventPayloads[value.type].safeParse(value.payload).success && isJsonValue(value)
  } catch {
    return false
  }
}
