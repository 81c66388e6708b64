import * as z from 'zod'

const toolCall = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
})
const message = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string().nullish(),
  tool_calls: z.array(toolCall).nullish(),
  tool_call_id: z.string().optional(),
})

/** What the local model reads of a request for a chat completion. */
export const chatRequestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.literal(true),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  enable_thinking: z.boolean().optional(),
})

export type ChatRequest = z.infer<typeof chatRequestSchema>
export type ChatRequestMessage = z.infer<typeof message>
