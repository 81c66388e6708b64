import * as z from 'zod/mini'
import { agentErrorSchema } from '../agentError.ts'
import { nonEmptyString, optionalJson, optionalText } from '../fields.ts'

const taskId = nonEmptyString

export const taskPayloads = {
  'task.created': z.object({ taskId, title: nonEmptyString, description: optionalText }),
  'task.updated': z.object({
    taskId,
    title: optionalText,
    description: optionalText,
    progress: z.optional(z.number()),
  }),
  'task.completed': z.object({ taskId, result: optionalJson }),
  'task.failed': z.object({ taskId, error: agentErrorSchema }),
  'task.cancelled': z.object({ taskId, reason: optionalText }),
}
