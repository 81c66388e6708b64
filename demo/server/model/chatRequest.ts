import * as z from 'zod'
import { listOf } from '../listOf.ts'

const toolCall = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
})
const message = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string().nullish(),
  tool_calls: listOf(toolCall).nullish(),
  tool_call_id: z.string().optional(),
})

/** What the local model reads of a request for a chat completion. */
export const chatRequestSchema = z.looseObject({
  model: z.string(),
  messages: listOf(message).refine((messages) => messages.length > 0, 'Send a message.'),
  stream: z.literal(true),
  tools: listOf(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  enable_thinking: z.boolean().optional(),
})

export type ChatRequest = z.infer<typeof chatRequestSchema>
export type ChatRequestMessage = z.infer<typeof message>
