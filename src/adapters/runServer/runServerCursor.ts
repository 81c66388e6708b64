import * as z from 'zod/mini'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { runServerAdapter as adapter } from './runServerAdapter.ts'

const cursorSchema = z.object({ seq: z.int().check(z.nonnegative()), assistantMessageId: z.string() })

/** What a resume needs besides the run's id; to everyone else it is an opaque string. */
export type RunServerCursor = z.infer<typeof cursorSchema>

export function formatRunServerCursor({ seq, assistantMessageId }: RunServerCursor): string {
  // Made once an event: a third of what JSON.stringify of an object takes.
  return `{"seq":${seq},"assistantMessageId":${JSON.stringify(assistantMessageId)}}`
}

/** @throws AgentTransportError `resume_unavailable` where the cursor is not one of this adapter's. */
export function parseRunServerCursor(cursor: string): RunServerCursor {
  try {
    return cursorSchema.parse(JSON.parse(cursor))
  } catch {
    const message = `${adapter}: The cursor is not one of the run server; start a new run.`
    throw new AgentTransportError('resume_unavailable', message, { adapter })
  }
}
