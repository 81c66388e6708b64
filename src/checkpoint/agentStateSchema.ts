import * as z from 'zod/mini'
import { agentMessageContentSchema } from '../protocol/agentMessageContent.ts'
import { agentErrorSchema } from '../protocol/agentError.ts'
import { nonEmptyString, optionalJson, optionalText, optionalVersion } from '../protocol/fields.ts'
import { idRecord } from '../protocol/idRecord.ts'
import { listOf } from '../protocol/listOf.ts'
import { approvalPayloads } from '../protocol/payloads/approvalPayloads.ts'
import { messagePayloads } from '../protocol/payloads/messagePayloads.ts'
import { isFilled, isRecord } from '../protocol/predicates.ts'
import type {
  AgentEntityReference,
  AgentProtocolIssue,
  AgentProtocolIssueCode,
  AgentState,
} from '../state/agentState.ts'
import { recordOfKind } from '../state/agentState.ts'
import type { AgentEntityBase } from '../state/entities/agentEntityBase.ts'
import { isIdTree } from '../state/processed/isIdTree.ts'
import type { IdTree } from '../state/processed/idTree.ts'

const count = z.int().check(z.nonnegative())
const time = z.number()

const entityFields = {
  id: nonEmptyString,
  runId: nonEmptyString,
  parentId: optionalText,
  status: z.enum(['pending', 'streaming', 'running', 'waiting', 'completed', 'failed', 'cancelled']),
  error: z.optional(agentErrorSchema),
  reason: optionalText,
  createdAt: time,
  updatedAt: time,
  meta: z.optional(idRecord(z.unknown())),
} satisfies Record<keyof AgentEntityBase, z.ZodMiniType>

const run = z.object({
  id: nonEmptyString,
  sessionId: nonEmptyString,
  status: z.enum(['running', 'completed', 'failed', 'cancelled']),
  input: optionalJson,
  output: optionalJson,
  usage: z.optional(idRecord(z.number())),
  error: z.optional(agentErrorSchema),
  reason: optionalText,
  createdAt: time,
  updatedAt: time,
})

const entities = {
  messages: z.object({
    ...entityFields,
    role: messagePayloads['message.started'].shape.role,
    content: agentMessageContentSchema,
  }),
  reasoning: z.object({ ...entityFields, content: z.string(), summary: optionalText, redacted: z.boolean() }),
  toolCalls: z.object({
    ...entityFields,
    name: nonEmptyString,
    arguments: z.string(),
    index: z.optional(z.int()),
    attempt: z.int().check(z.positive()),
    retryOf: z.optional(nonEmptyString),
    result: optionalJson,
  }),
  approvals: z.object({
    ...entityFields,
    toolCallId: optionalText,
    description: optionalText,
    risk: approvalPayloads['approval.requested'].shape.risk,
    data: optionalJson,
    decision: z.optional(approvalPayloads['approval.resolved'].shape.decision),
    editable: z.optional(z.boolean()),
    expiresAt: z.optional(z.number()),
    version: optionalVersion,
  }),
  tasks: z.object({
    ...entityFields,
    title: z.string(),
    description: optionalText,
    progress: z.optional(z.number()),
    result: optionalJson,
  }),
  artifacts: z.object({
    ...entityFields,
    name: nonEmptyString,
    mediaType: optionalText,
    content: optionalJson,
    version: optionalVersion,
  }),
}

function isReference(value: unknown): value is AgentEntityReference {
  return isRecord(value) && isKind(value.kind) && isFilled(value.id) && isFilled(value.runId)
}

const isKind = (value: unknown) => typeof value === 'string' && Object.hasOwn(recordOfKind, value)

const issueCodes: Readonly<Record<AgentProtocolIssueCode, true>> = {
  duplicate_entity: true,
  invalid_sequence: true,
  invalid_transition: true,
  missing_entity: true,
  missing_run: true,
}

function isIssue(value: unknown): value is AgentProtocolIssue {
  if (!isRecord(value) || typeof value.code !== 'string' || !Object.hasOwn(issueCodes, value.code)) return false
  return isFilled(value.eventId) && isFilled(value.runId) && typeof value.message === 'string'
}

/** Shape of an AgentState, entity by entity. */
export const agentStateSchema = z.object({
  sessions: idRecord(z.object({ id: nonEmptyString, title: optionalText, createdAt: time })),
  runs: idRecord(run),
  messages: idRecord(entities.messages),
  reasoning: idRecord(entities.reasoning),
  toolCalls: idRecord(entities.toolCalls),
  approvals: idRecord(entities.approvals),
  tasks: idRecord(entities.tasks),
  artifacts: idRecord(entities.artifacts),
  order: listOf(isReference),
  issues: listOf(isIssue),
  droppedIssues: count,
  lastSequenceByRun: idRecord(count),
  processedEvents: idRecord(z.object({ first: count, types: z.string(), others: z.custom<IdTree>(isIdTree) })),
}) satisfies z.ZodMiniType<AgentState>
