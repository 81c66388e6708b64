import { hasCommandEnvelope, type UnknownAgentCommandEnvelope } from './hasCommandEnvelope.ts'
import { isJsonValue } from './isJsonValue.ts'

/**
 * Says whether a value has the envelope of an AgentCommand 0.1, whatever its payload's fields; never throws
 * (RFC, section 7.5).
 *
 * @example
 * if (isAgentCommandEnvelope(body)) log.info({ type: body.type, commandId: body.commandId })
 */
export function isAgentCommandEnvelope(value: unknown): value is UnknownAgentCommandEnvelope {
  try {
    return hasCommandEnvelope(value) && isJsonValue(value)
  } catch {
    return false
  }
}
