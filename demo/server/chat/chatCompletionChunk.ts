import * as z from 'zod'
import { listOf } from '../listOf.ts'

const text = z.string().nullish()
/** Mistral sends parts: text, and its thinking as parts of its own. */
const contentPart = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  thinking: listOf(z.looseObject({ text: z.string().optional() })).optional(),
})
const toolCallDelta = z.looseObject({
  index: z.number().nullish(),
  id: text,
  function: z.looseObject({ name: text, arguments: text }).nullish(),
})
const usage = z.looseObject({
  prompt_tokens: z.number().nullish(),
  completion_tokens: z.number().nullish(),
  total_tokens: z.number().nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: z.number().nullish() }).nullish(),
})

/** A chunk as OpenAI and those who are compatible with it send it: almost everything may be missing or null. */
export const chatCompletionChunkSchema = z.looseObject({
  choices: listOf(
    z.looseObject({
      delta: z
        .looseObject({
          content: z.union([z.string(), listOf(contentPart)]).nullish(),
          reasoning_content: text,
          reasoning: text,
          refusal: text,
          tool_calls: listOf(toolCallDelta).nullish(),
        })
        .nullish(),
      finish_reason: text,
    }),
  ).nullish(),
  usage: usage.nullish(),
})

export type ChatCompletionChunk = z.infer<typeof chatCompletionChunkSchema>
export type ChatToolCallDelta = z.infer<typeof toolCallDelta>
export type ChatUsage = z.infer<typeof usage>
