import type { AgentCommand } from './agentCommand.ts'
import { agentCommandPayloads } from './agentCommand.ts'
import { isAgentCommandEnvelope } from './isAgentCommandEnvelope.ts'

/**
 * Says whether a value is an AgentCommand 0.1, payload included; never throws (RFC, section 7.5).
 *
 * @example
 * if (!isAgentCommand(body)) return response.status(400)
 */
export function isAgentCommand(value: unknown): value is AgentCommand {
  return isAgentCommandEnvelope(value) && agentCommandPayloads[value.type].safeParse(value.payload).success
}
