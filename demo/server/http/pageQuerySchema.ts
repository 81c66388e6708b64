import * as z from 'zod'

/** Query of a list that pages backwards, the newest first. */
export const pageQuerySchema = z.object({
  before: z.string().max(1000).optional(),
  limit: z
    .string()
    .regex(/^\d{1,6}$/, 'Give a whole number.')
    .transform(Number)
    .optional(),
})
