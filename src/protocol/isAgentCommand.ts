import type { AgentCommand } from './agentCommand.ts'
import { agentCommandPayloads } from './agentCommand.ts'
import { hasCommandEnvelope } from './hasCommandEnvelope.ts'
import { isJsonValue } from './isJsonValue.ts'

/**
 * Says whether a value is an AgentCommand 0.1, payload included; never throws (RFC, section 7.5).
 *
 * @example
 * if (!isAgentCommand(body)) return response.status(400)
 */
export function isAgentCommand(value: unknown): value is AgentCommand {
  try {
    return (
      hasCommandEnvelope(value) && agentCommandPayloads[value.type].safeParse(value.payload).success && isJsonValue(value)
    )
  } catch {
    // A getter or a proxy of a hostile value may throw at any time, also after it was well-behaved.
    return false
  }
}
