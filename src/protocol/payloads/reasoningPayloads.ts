import * as z from 'zod/mini'
import { agentErrorSchema, nonEmptyString, optionalText, text } from '../fields.ts'

const reasoningId = nonEmptyString

export const reasoningPayloads = {
  'reasoning.started': z.object({ reasoningId, redacted: z.optional(z.boolean()) }),
  'reasoning.delta': z.object({ reasoningId, delta: text }),
  'reasoning.completed': z.object({ reasoningId, content: optionalText, summary: optionalText }),
  'reasoning.failed': z.object({ reasoningId, error: agentErrorSchema }),
  'reasoning.cancelled': z.object({ reasoningId, reason: optionalText }),
}
