import * as z from 'zod/mini'
import type { AgentCommandEnvelope, AgentCommandType } from './agentCommand.ts'
import type { AgentEventMeta } from './agentEvent.ts'
import { AGENT_COMMAND_PROTOCOL, AGENT_COMMAND_PROTOCOL_VERSION } from './agentCommandProtocol.ts'
import { agentCommandTypes } from './agentCommandTypes.ts'
import { nonEmptyString } from './fields.ts'
import { isRecord } from './predicates.ts'

// Not zod's record, which copies every entry of what may be megabytes.
const record = z.custom<AgentEventMeta>(isRecord)

const envelopeSchema = z.object({
  commandProtocol: z.literal(AGENT_COMMAND_PROTOCOL),
  commandProtocolVersion: z.literal(AGENT_COMMAND_PROTOCOL_VERSION),
  type: z.enum(agentCommandTypes as [AgentCommandType, ...AgentCommandType[]]),
  commandId: nonEmptyString,
  idempotencyKey: nonEmptyString,
  sessionId: nonEmptyString,
  runId: nonEmptyString,
  timestamp: z.number(),
  payload: record,
  meta: z.optional(record),
})

/** A command whose payload has not been looked into yet. */
export type UnknownAgentCommandEnvelope = AgentCommandEnvelope<AgentCommandType, Readonly<Record<string, unknown>>>

/** Checks the envelope's own fields. */
export function hasCommandEnvelope(value: unknown): value is UnknownAgentCommandEnvelope {
  return envelopeSchema.safeParse(value).success
}
