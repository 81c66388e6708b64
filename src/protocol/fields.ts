import * as z from 'zod/mini'

/** Non-empty string: every id and every name of the protocol. */
export const nonEmptyString = z.string().check(z.minLength(1))
export const optionalText = z.optional(z.string())
/** Any JSON value that may be absent; that it is JSON is checked once for the whole payload. */
export const optionalJson = z.optional(z.unknown())
/** Any JSON value that must be there. */
export const requiredJson = z.custom<unknown>((value) => value !== undefined)
/** Opaque version of an entity, set by the runtime. */
export const optionalVersion = z.optional(z.union([z.string(), z.number()]))
