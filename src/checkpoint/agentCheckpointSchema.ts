import * as z from 'zod/mini'
import { AGENT_COMMAND_PROTOCOL_VERSION } from '../protocol/agentCommandProtocol.ts'
import { AGENT_EVENT_PROTOCOL_VERSION } from '../protocol/agentEventProtocol.ts'
import { nonEmptyString } from '../protocol/fields.ts'
import { isAgentCommand } from '../protocol/isAgentCommand.ts'
import { idRecord } from '../protocol/idRecord.ts'
import { listOf } from '../protocol/listOf.ts'
import { AGENT_CHECKPOINT_SCHEMA_VERSION, type AgentCheckpoint } from './agentCheckpoint.ts'
import { agentStateSchema } from './agentStateSchema.ts'

const connectionSchema = z.object({
  providerId: nonEmptyString,
  detached: z.optional(z.boolean()),
  isOpen: z.optional(z.boolean()),
  readTo: z.optional(z.int().check(z.nonnegative())),
  startedAt: z.optional(z.number()),
})

/** Shape of a checkpoint of any session; what its parts say of each other is `findStateFault`'s. */
export const agentCheckpointSchema = z.object({
  schemaVersion: z.literal(AGENT_CHECKPOINT_SCHEMA_VERSION),
  eventProtocolVersion: z.literal(AGENT_EVENT_PROTOCOL_VERSION),
  commandProtocolVersion: z.literal(AGENT_COMMAND_PROTOCOL_VERSION),
  sessionId: nonEmptyString,
  state: agentStateSchema,
  inputByRun: idRecord(z.unknown()),
  cursorByRun: idRecord(z.string()),
  pendingCommands: listOf(isAgentCommand),
  connectionByRun: z.optional(idRecord(connectionSchema)),
  savedAt: z.number(),
}) satisfies z.ZodMiniType<AgentCheckpoint>
