import * as z from 'zod'
import { createIdSchema } from '../createIdSchema.ts'

export const conversationCursorSchema = z.object({ updatedAt: z.int(), id: createIdSchema() })

/** Where a list of conversations goes on. */
export type ConversationCursor = z.infer<typeof conversationCursorSchema>
