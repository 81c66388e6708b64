import * as z from 'zod'
import { RunServerError } from '../runServerError.ts'

/** Checks input against a schema. Throws RunServerError 400 that says where it does not fit. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new RunServerError({
    status: 400,
    code: 'invalid_request',
    message: `The request does not fit. ${z.prettifyError(parsed.error)}`,
  })
}
