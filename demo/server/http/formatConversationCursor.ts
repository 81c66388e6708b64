import type { ConversationCursor } from './conversationCursorSchema.ts'

/** Where a list of conversations goes on, as text that means nothing to its reader. */
export function formatConversationCursor({ updatedAt, id }: ConversationCursor): string {
  return Buffer.from(JSON.stringify({ updatedAt, id })).toString('base64url')
}
