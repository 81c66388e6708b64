import * as z from 'zod/mini'
import { agentErrorSchema } from '../agentError.ts'
import { deltaPayload } from '../deltaPayload.ts'
import { isText } from '../predicates.ts'
import { nonEmptyString, optionalText } from '../fields.ts'

const reasoningId = nonEmptyString

export const reasoningPayloads = {
  'reasoning.started': z.object({ reasoningId, redacted: z.optional(z.boolean()) }),
  'reasoning.delta': deltaPayload('reasoningId', isText),
  'reasoning.completed': z.object({ reasoningId, content: optionalText, summary: optionalText }),
  'reasoning.failed': z.object({ reasoningId, error: agentErrorSchema }),
  'reasoning.cancelled': z.object({ reasoningId, reason: optionalText }),
}
