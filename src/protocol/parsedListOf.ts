import * as z from 'zod/mini'

/**
 * A list whose entries a schema reads, as far as the first wrong one: zod's own list notes what is wrong with every
 * entry, and throws a RangeError where these are some 100,000. `listOf` is for entries that a predicate tells.
 */
export function parsedListOf<Entry>(schema: z.ZodMiniType<Entry>): z.ZodMiniType<Entry[]> {
  return z.pipe(
    z.custom<readonly unknown[]>((value) => Array.isArray(value)),
    z.transform((list: readonly unknown[], payload) => {
      const entries: Entry[] = []
      // Holes, which a structured clone keeps, are entries that are not there.
      for (const value of list) {
        const read = schema.safeParse(value)
        if (!read.success) {
          payload.issues.push({ code: 'custom', input: list, path: [entries.length], message: 'Invalid entry' })
          return z.NEVER
        }
        entries.push(read.data)
      }
      return entries
    }),
  )
}
