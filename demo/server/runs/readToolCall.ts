import type { ToolCallRow } from '../store/rows.ts'
import { ToolError } from '../tools/toolError.ts'
import type { RunContext } from './runContext.ts'

/** What the ledger says of a tool call. */
export interface KnownToolCall {
  toolCallId: string
  status: ToolCallRow['status']
  result?: unknown
  error?: ToolError
  /** Whether the failure may still be followed by another attempt, or is. */
  isHeld: boolean
}

/** Reads what became of a tool call so far. */
export async function readToolCall({ services, run }: RunContext, toolCallId: string): Promise<KnownToolCall> {
  const row = (await services.store.read(({ toolCalls }) => toolCalls.get(run.runId, toolCallId)))!
  const { status, holdUntil, retriedBy, result } = row
  const known = { toolCallId, status, isHeld: holdUntil !== null || retriedBy !== null }
  if (status === 'succeeded') return { ...known, result }
  if (status !== 'failed' && status !== 'unknown') return known
  const error = result as { code: string; message: string; retryable: boolean }
  return { ...known, error: new ToolError({ ...error, isOutcomeUnknown: status === 'unknown' }) }
}
