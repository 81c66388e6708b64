import * as z from 'zod/mini'
import { agentErrorSchema, optionalJson, optionalText } from '../fields.ts'

export const runPayloads = {
  'run.started': z.object({ input: optionalJson }),
  'run.completed': z.object({ output: optionalJson, usage: z.optional(z.record(z.string(), z.number())) }),
  'run.failed': z.object({ error: agentErrorSchema }),
  'run.cancelled': z.object({ reason: optionalText }),
}
