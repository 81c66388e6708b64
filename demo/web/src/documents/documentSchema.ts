import * as z from 'zod/mini'

// A time may come as milliseconds or as ISO 8601: both are what `new Date()` takes.
const timeSchema = z.union([z.number(), z.string()])

export const documentSchema = z.object({
  id: z.string().check(z.minLength(1)),
  title: z.string(),
  content: z.string(),
  version: z.number(),
  updatedAt: timeSchema,
})

/** A document as the server keeps it; `version` grows by one with each change. */
export type WorkspaceDocument = z.infer<typeof documentSchema>
