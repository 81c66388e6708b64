import * as z from 'zod/mini'
import { nonEmptyString, optionalJson, optionalText } from './fields.ts'

/** Error as a runtime states it: never an `Error` instance, so that it can be stored. */
export const agentErrorSchema = z.object({
  message: nonEmptyString,
  code: optionalText,
  retryable: z.optional(z.boolean()),
  details: optionalJson,
})
/** What went wrong, as an event states it: words for a person, and a literal code. */
export type AgentError = z.infer<typeof agentErrorSchema>
