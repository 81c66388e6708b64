import { conversationCursorSchema, type ConversationCursor } from './conversationCursorSchema.ts'
import { createInvalidCursor } from './createInvalidCursor.ts'

/** @throws RunServerError `invalid_cursor` (400) where the text is none of this server's. */
export function parseConversationCursor(text: string): ConversationCursor {
  try {
    return conversationCursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch (cause) {
    throw createInvalidCursor(cause)
  }
}
