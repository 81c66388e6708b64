import { createInvalidCursor } from './createInvalidCursor.ts'

/** @throws RunServerError `invalid_cursor` (400) where the text is none of this server's. */
export function parseMessageCursor(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw createInvalidCursor()
  return Number(text)
}
