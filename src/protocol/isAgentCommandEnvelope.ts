import * as z from 'zod/mini'
import type { AgentCommandEnvelope, AgentCommandType } from './agentCommand.ts'
import { AGENT_COMMAND_PROTOCOL, AGENT_COMMAND_PROTOCOL_VERSION } from './agentCommandProtocol.ts'
import { agentCommandTypes } from './agentCommandTypes.ts'
import { nonEmptyString } from './fields.ts'
import { isJsonValue } from './isJsonValue.ts'

const envelopeSchema = z.object({
  commandProtocol: z.literal(AGENT_COMMAND_PROTOCOL),
  commandProtocolVersion: z.literal(AGENT_COMMAND_PROTOCOL_VERSION),
  type: z.enum(agentCommandTypes as [AgentCommandType, ...AgentCommandType[]]),
  commandId: nonEmptyString,
  idempotencyKey: nonEmptyString,
  sessionId: nonEmptyString,
  runId: nonEmptyString,
  timestamp: z.number(),
  payload: z.record(z.string(), z.unknown()),
  meta: z.optional(z.record(z.string(), z.unknown())),
})

/** A command whose payload has not been looked into yet. */
export type UnknownAgentCommandEnvelope = AgentCommandEnvelope<AgentCommandType, Readonly<Record<string, unknown>>>

/**
 * Says whether a value has the envelope of an AgentCommand 0.1, whatever its payload's fields; never throws
 * (RFC, section 7.5).
 *
 * @example
 * if (isAgentCommandEnvelope(body)) log.info({ type: body.type, commandId: body.commandId })
 */
export function isAgentCommandEnvelope(value: unknown): value is UnknownAgentCommandEnvelope {
  try {
    return envelopeSchema.safeParse(value).success && isJsonValue(value)
  } catch {
    return false
  }
}
