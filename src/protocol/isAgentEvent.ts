import * as z from 'zod/mini'
import type { AgentEvent } from './agentEvent.ts'
import { agentEventPayloads, type AgentEventType } from './agentEventPayloads.ts'
import { agentEventTypes } from './agentEventTypes.ts'
import { agentEventEnvelopeFields } from './isAgentEventEnvelope.ts'
import { isJsonValue } from './isJsonValue.ts'

const schemaOf = (type: AgentEventType) =>
  z.object({ ...agentEventEnvelopeFields, type: z.literal(type), payload: agentEventPayloads[type] })

type EventSchema = ReturnType<typeof schemaOf>

const agentEventSchema = z.discriminatedUnion(
  'type',
  agentEventTypes.map(schemaOf) as [EventSchema, ...EventSchema[]],
)

/**
 * Says whether a value is an AgentEvent 0.1: its envelope, the fields that its type's payload must have, and that
 * all of it is JSON; never throws. Unknown payload fields pass, and the value itself is left as it is.
 *
 * @example
 * const events = frames.map((frame) => JSON.parse(frame)).filter(isAgentEvent)
 */
export function isAgentEvent(value: unknown): value is AgentEvent {
  try {
    return agentEventSchema.safeParse(value).success && isJsonValue(value)
  } catch {
    // A getter or a proxy of a hostile value may throw: then it is not JSON, hence no event.
    return false
  }
}
