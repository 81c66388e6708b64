import * as z from 'zod'
import { createIdSchema } from '../createIdSchema.ts'
import { RunServerError } from '../runServerError.ts'

const cursorSchema = z.object({ updatedAt: z.int(), id: createIdSchema() })
const maxPageSize = 500

/** How many rows a page holds: what is asked for, within bounds; 100 by default. */
export function boundPageSize(limit = 100): number {
  return Math.min(Math.max(limit, 1), maxPageSize)
}

/** Query of a list that pages backwards, the newest first. */
export const pageQuerySchema = z.object({
  before: z.string().max(1000).optional(),
  limit: z
    .string()
    .regex(/^\d{1,6}$/, 'Give a whole number.')
    .transform(Number)
    .optional(),
})

/** Where a list of conversations goes on, as text that means nothing to its reader. */
export function formatConversationCursor({ updatedAt, id }: z.infer<typeof cursorSchema>): string {
  return Buffer.from(JSON.stringify({ updatedAt, id })).toString('base64url')
}

/** @throws RunServerError `invalid_cursor` (400) where the text is none of this server's. */
export function parseConversationCursor(text: string): z.infer<typeof cursorSchema> {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch (cause) {
    throw invalidCursor(cause)
  }
}

/** @throws RunServerError `invalid_cursor` (400) where the text is none of this server's. */
export function parseMessageCursor(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw invalidCursor()
  return Number(text)
}

function invalidCursor(cause?: unknown): RunServerError {
  return new RunServerError({
    status: 400,
    code: 'invalid_cursor',
    message: 'This is no cursor of this list. Give the nextCursor of the page before, or leave it out.',
    cause,
  })
}
