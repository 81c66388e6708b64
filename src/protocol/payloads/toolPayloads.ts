import * as z from 'zod/mini'
import { agentErrorSchema } from '../agentError.ts'
import { deltaPayload } from '../deltaPayload.ts'
import { isText } from '../predicates.ts'
import { nonEmptyString, optionalJson, optionalText } from '../fields.ts'

const toolCallId = nonEmptyString

export const toolPayloads = {
  'tool.requested': z.object({
    toolCallId,
    name: nonEmptyString,
    arguments: optionalText,
    index: z.optional(z.int()),
    attempt: z.optional(z.int().check(z.positive())),
    retryOf: z.optional(nonEmptyString),
  }),
  'tool.arguments_delta': deltaPayload('toolCallId', isText),
  'tool.running': z.object({ toolCallId }),
  'tool.completed': z.object({ toolCallId, result: optionalJson }),
  'tool.failed': z.object({ toolCallId, error: agentErrorSchema }),
  'tool.cancelled': z.object({ toolCallId, reason: optionalText }),
}
