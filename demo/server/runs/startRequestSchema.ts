import * as z from 'zod'
import { createIdSchema } from '../createIdSchema.ts'
import { listOf } from '../listOf.ts'
import { toText } from './toText.ts'

const id = createIdSchema()
const part = z.discriminatedUnion('type', [z.object({ type: z.literal('text'), text: z.string() })])
const content = z.union([z.string(), listOf(part)])

/** The person's new message: the only one that is believed; what others said the server knows itself. */
const userMessage = z.object({
  id: id.optional(),
  role: z.literal('user'),
  content: content.refine((value) => toText(value).trim() !== '', { message: 'The message is empty.' }),
})

/** Body of a start. */
export const startRequestSchema = z.object({
  runId: id.optional(),
  assistantMessageId: id.optional(),
  conversationId: id,
  messages: z.tuple([userMessage]),
  modelId: id.optional(),
  enableThinking: z.boolean().default(true),
  mode: z.enum(['chat', 'plan']).default('chat'),
  currentDocument: z.looseObject({ id }).nullish(),
  /** Cancels the run that is under way in the thread, instead of being refused. */
  supersede: z.boolean().default(false),
  /** A run of this conversation that is over, and whose work this one goes on with. */
  resumes: id.optional(),
})

export type StartRequest = z.infer<typeof startRequestSchema>
