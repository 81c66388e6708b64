import * as z from 'zod/mini'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { agUiAdapter as adapter } from './agUiAdapter.ts'

const cursorSchema = z.object({ wireRunId: z.string(), cursor: z.string() })

/** Where an AG-UI run goes on: its name on the wire, and the runtime's own cursor. */
export type AgUiCursor = z.infer<typeof cursorSchema>

export const formatAgUiCursor = ({ wireRunId, cursor }: AgUiCursor): string => JSON.stringify({ wireRunId, cursor })

/** @throws AgentTransportError `resume_unavailable` where the cursor is not one of this adapter's. */
export function parseAgUiCursor(cursor: string): AgUiCursor {
  try {
    return cursorSchema.parse(JSON.parse(cursor))
  } catch {
    const message = `${adapter}: The cursor is not one of this adapter; start a new run.`
    throw new AgentTransportError('resume_unavailable', message, { adapter })
  }
}
