import * as z from 'zod/mini'
import type { AgentCommandEnvelope, AgentCommandType } from './agentCommand.ts'
import { AGENT_COMMAND_PROTOCOL, AGENT_COMMAND_PROTOCOL_VERSION } from './agentCommandProtocol.ts'
import { agentCommandTypes } from './agentCommandTypes.ts'
import { nonEmptyString } from './fields.ts'
import { isJsonValue } from './isJsonValue.ts'

/** The envelope's fields but `type` and `payload`, which each command type states for itself. */
export const agentCommandEnvelopeFields = {
  commandProtocol: z.literal(AGENT_COMMAND_PROTOCOL),
  commandProtocolVersion: z.literal(AGENT_COMMAND_PROTOCOL_VERSION),
  commandId: nonEmptyString,
  idempotencyKey: nonEmptyString,
  sessionId: nonEmptyString,
  runId: nonEmptyString,
  timestamp: z.number(),
  meta: z.optional(z.record(z.string(), z.unknown())),
}

const envelopeSchema = z.object({
  ...agentCommandEnvelopeFields,
  type: z.enum(agentCommandTypes as [AgentCommandType, ...AgentCommandType[]]),
  payload: z.record(z.string(), z.unknown()),
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
