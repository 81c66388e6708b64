import * as z from 'zod/mini'
import { optionalJson, optionalText, requiredJson } from './fields.ts'

const namespacedType = z.custom<`${string}.${string}`>(
  (value) => typeof value === 'string' && /^[^.]+\..+/.test(value),
)

const agentContentPartSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), url: optionalText, data: optionalJson, mediaType: optionalText }),
  z.object({
    type: z.literal('file'),
    url: optionalText,
    data: optionalJson,
    mediaType: optionalText,
    name: optionalText,
  }),
  z.object({ type: namespacedType, data: requiredJson }),
])

export type AgentContentPart = z.infer<typeof agentContentPartSchema>
/** What a message holds: text, or a list of parts (`text`, `image`, `file`, or a `vendor.kind` with `data`). */
export type AgentMessageContent = string | readonly AgentContentPart[]

// Typed by what is read of it: nobody writes into a list that came with an event.
export const agentMessageContentSchema: z.ZodMiniType<AgentMessageContent> = z.union([
  z.string(),
  z.array(agentContentPartSchema),
])
