import * as z from 'zod'

/**
 * An id from outside. Databases do not keep every character as it is, and an id must be the same wherever it is read;
 * none of them can look for one of any length.
 */
export function createIdSchema({ maxLength = 200 } = {}) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine((value) => !/[\p{Cc}\p{Cs}]/u.test(value), 'Use neither control characters nor halves of characters.')
}
