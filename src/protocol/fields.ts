import * as z from 'zod/mini'
import { isFilled, isRecord } from './predicates.ts'

/** Non-empty string: every id and every name of the protocol. */
export const nonEmptyString = z.string().check(z.minLength(1))
export const optionalText = z.optional(z.string())
/** Any JSON value that may be absent; that it is JSON is checked once for the whole payload. */
export const optionalJson = z.optional(z.unknown())
/** Any JSON value that must be there. */
export const requiredJson = z.custom<unknown>((value) => value !== undefined)
/** Opaque version of an entity, set by the runtime. */
export const optionalVersion = z.optional(z.union([z.string(), z.number()]))

/** Error as a runtime states it: never an `Error` instance, so that it can be stored. */
export const agentErrorSchema = z.object({
  message: nonEmptyString,
  code: optionalText,
  retryable: z.optional(z.boolean()),
  details: optionalJson,
})
/** What went wrong, as an event states it: words for a person, and a literal code. */
export type AgentError = z.infer<typeof agentErrorSchema>

/**
 * A delta's payload: whose it is, under `id`, and what is added. As a predicate, because most events of a stream are
 * deltas, and an object schema makes some twenty small objects for each.
 */
export function deltaPayload<Id extends string, Delta>(
  id: Id,
  isDelta: (value: unknown) => value is Delta,
): z.ZodMiniType<{ [Key in Id]: string } & { delta: Delta }> {
  return z.custom((value) => isRecord(value) && isFilled(value[id]) && isDelta(value.delta))
}

export const isText = (value: unknown): value is string => typeof value === 'string'
