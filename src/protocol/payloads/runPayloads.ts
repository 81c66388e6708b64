import * as z from 'zod/mini'
import { agentErrorSchema } from '../agentError.ts'
import { optionalJson, optionalText } from '../fields.ts'
import { isRecord } from '../predicates.ts'

// Stops at the first entry that is no number; a schema would note every one of a hostile record.
function isUsage(value: unknown): value is Readonly<Record<string, number>> {
  if (!isRecord(value)) return false
  for (const key in value) if (!Number.isFinite(value[key])) return false
  return true
}

export const runPayloads = {
  'run.started': z.object({ input: optionalJson }),
  'run.completed': z.object({
    output: optionalJson,
    usage: z.optional(z.custom<Readonly<Record<string, number>>>(isUsage)),
  }),
  'run.failed': z.object({ error: agentErrorSchema }),
  'run.cancelled': z.object({ reason: optionalText }),
}
