import { hasEventEnvelope, type UnknownAgentEventEnvelope } from './hasEventEnvelope.ts'
import { isJsonValue } from './isJsonValue.ts'

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
