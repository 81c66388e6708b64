import type { AgentEventEnvelope } from './agentEvent.ts'
import { AGENT_EVENT_PROTOCOL_VERSION } from './agentEventProtocol.ts'
import { agentEventPayloads, type AgentEventType } from './agentEventPayloads.ts'
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
