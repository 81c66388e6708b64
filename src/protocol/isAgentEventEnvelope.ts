import * as z from 'zod/mini'
import type { AgentEventEnvelope } from './agentEvent.ts'
import { AGENT_EVENT_PROTOCOL_VERSION } from './agentEventProtocol.ts'
import type { AgentEventType } from './agentEventPayloads.ts'
import { agentEventTypes } from './agentEventTypes.ts'
import { nonEmptyString } from './fields.ts'
import { isJsonValue } from './isJsonValue.ts'

/** The envelope's fields but `type` and `payload`, which each event type states for itself. */
export const agentEventEnvelopeFields = {
  protocolVersion: z.literal(AGENT_EVENT_PROTOCOL_VERSION),
  eventId: nonEmptyString,
  sessionId: nonEmptyString,
  runId: nonEmptyString,
  sequence: z.int().check(z.nonnegative()),
  timestamp: z.number(),
  parentId: z.optional(z.string()),
  meta: z.optional(z.record(z.string(), z.unknown())),
}

const envelopeSchema = z.object({
  ...agentEventEnvelopeFields,
  type: z.enum(agentEventTypes as [AgentEventType, ...AgentEventType[]]),
  payload: z.record(z.string(), z.unknown()),
})

/** An event whose payload has not been looked into yet. */
export type UnknownAgentEventEnvelope = AgentEventEnvelope<AgentEventType, Readonly<Record<string, unknown>>>

/**
 * Says whether a value has the envelope of an AgentEvent 0.1, whatever its payload's fields; never throws.
 *
 * @example
 * if (isAgentEventEnvelope(value)) console.log(value.type, value.sequence)
 */
export function isAgentEventEnvelope(value: unknown): value is UnknownAgentEventEnvelope {
  try {
    return envelopeSchema.safeParse(value).success && isJsonValue(value)
  } catch {
    return false
  }
}
