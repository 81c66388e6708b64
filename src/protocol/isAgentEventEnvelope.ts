import type { AgentEventEnvelope } from './agentEvent.ts'
import { AGENT_EVENT_PROTOCOL_VERSION } from './agentEventProtocol.ts'
import { agentEventPayloads, type AgentEventType } from './agentEventPayloads.ts'
import { isJsonValue } from './isJsonValue.ts'
import { isFilled, isRecord } from './predicates.ts'

/** An event whose payload has not been looked into yet. */
export type UnknownAgentEventEnvelope = AgentEventEnvelope<AgentEventType, Readonly<Record<string, unknown>>>

/**
 * Checks the envelope's own fields. As a plain predicate, since every event of a stream comes by here and a zod object
 * without its JIT, which a strict CSP forbids, costs more than parsing the JSON; payloads are zod's.
 */
export function hasEventEnvelope(value: unknown): value is UnknownAgentEventEnvelope {
  return (
    isRecord(value) &&
    value.protocolVersion === AGENT_EVENT_PROTOCOL_VERSION &&
    typeof value.type === 'string' &&
    Object.hasOwn(agentEventPayloads, value.type) &&
    isFilled(value.eventId) &&
    isFilled(value.sessionId) &&
    isFilled(value.runId) &&
    Number.isSafeInteger(value.sequence) &&
    (value.sequence as number) >= 0 &&
    Number.isFinite(value.timestamp) &&
    (value.parentId === undefined || isFilled(value.parentId)) &&
    isRecord(value.payload) &&
    (value.meta === undefined || isRecord(value.meta))
  )
}

/**
 * Says whether a value has the envelope of an AgentEvent 0.1, whatever its payload's fields; never throws.
 *
 * @example
 * if (isAgentEventEnvelope(value)) console.log(value.type, value.sequence)
 */
export function isAgentEventEnvelope(value: unknown): value is UnknownAgentEventEnvelope {
  try {
    return hasEventEnvelope(value) && isJsonValue(value)
  } catch {
    // A getter or a proxy of a hostile value may throw: then it is not JSON, hence no event.
    return false
  }
}
