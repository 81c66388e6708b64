import * as z from 'zod/mini'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { aiSdkAdapter as adapter } from './aiSdkAdapter.ts'

const count = z.int().check(z.nonnegative())
const cursorSchema = z.object({
  /** Chunks of the present stream that were applied. */
  chunks: count,
  /** What the run held when the stream began. */
  base: z.object({ part: count, step: count }),
  /** Where the run stands in what no entity says. */
  at: z.object({ part: count, step: count, stepStart: count }),
  /** Of these chunks, so that another stream is not taken for this one. */
  print: z.int(),
  messageId: z.optional(z.string()),
  /** The server's own id of the run, where it has one. */
  serverRunId: z.optional(z.string()),
  outcome: z.optional(
    z.object({
      error: z.optional(z.string()),
      abort: z.optional(z.object({ reason: z.optional(z.string()) })),
      finish: z.optional(z.object({ reason: z.optional(z.string()) })),
    }),
  ),
})

/** Where a run's stream stands; to everyone else it is an opaque string. */
export type AiSdkCursor = z.infer<typeof cursorSchema>

/** @throws AgentTransportError `resume_unavailable` where the cursor is not one of this adapter's. */
export function parseAiSdkCursor(cursor: string): AiSdkCursor {
  try {
    return cursorSchema.parse(JSON.parse(cursor))
  } catch {
    const message = `${adapter}: The cursor is not one of this adapter; send the message again.`
    throw new AgentTransportError('resume_unavailable', message, { adapter })
  }
}

/** Adds a chunk to the print of those before it: its type, whose it is, and what it adds. */
export function addToPrint(print: number, data: unknown): number {
  const { type, id, toolCallId, delta, inputTextDelta } = (data ?? {}) as Readonly<Record<string, unknown>>
  let next = print
  for (const field of [type, id, toolCallId, delta, inputTextDelta]) {
    const text = typeof field === 'string' ? field : ''
    for (let index = 0; index < text.length; index += 1) next = Math.imul(next ^ text.charCodeAt(index), 16777619)
    next = Math.imul(next ^ 31, 16777619)
  }
  return next
}
