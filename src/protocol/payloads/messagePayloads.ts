import * as z from 'zod/mini'
import { agentMessageContentSchema, isAgentMessageContent } from '../agentMessageContent.ts'
import { agentErrorSchema } from '../agentError.ts'
import { deltaPayload } from '../deltaPayload.ts'
import { nonEmptyString, optionalText } from '../fields.ts'

/** Who speaks; any non-empty string, the four usual ones being known. */
export type AgentRole = 'assistant' | 'user' | 'system' | 'tool' | (string & {})
const role = z.custom<AgentRole>((value) => typeof value === 'string' && value !== '')
const messageId = nonEmptyString

export const messagePayloads = {
  'message.started': z.object({ messageId, role, content: z.optional(agentMessageContentSchema) }),
  'message.delta': deltaPayload('messageId', isAgentMessageContent),
  'message.completed': z.object({ messageId, content: z.optional(agentMessageContentSchema) }),
  'message.failed': z.object({ messageId, error: agentErrorSchema }),
  'message.cancelled': z.object({ messageId, reason: optionalText }),
}
