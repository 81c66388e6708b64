import * as z from 'zod'

/**
 * A list from outside, read as far as its first wrong entry. It may be as long as its sender likes, and zod's own list
 * notes what is wrong with every entry: that throws a RangeError where these are some 100,000, and costs seconds before.
 */
export function listOf<Entry>(schema: z.ZodType<Entry>): z.ZodType<Entry[]> {
  return z
    .custom<readonly unknown[]>((value) => Array.isArray(value), 'Give a list.')
    .transform((list, context) => {
      const entries: Entry[] = []
      for (const [index, value] of list.entries()) {
        const { success, data, error } = schema.safeParse(value)
        if (!success) {
          const [first] = error.issues
          const path = [index, ...(first?.path ?? [])]
          context.addIssue({ code: 'custom', path, message: first?.message ?? 'Invalid entry', input: value })
          return z.NEVER
        }
        entries.push(data)
      }
      return entries
    })
}
