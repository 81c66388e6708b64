import type { ToolCallRow } from '../store/rows.ts'
import { ToolError } from '../tools/toolError.ts'
import type { RunContext } from './runContext.ts'

/** What the ledger and the log say of a tool call. */
export interface KnownToolCall {
  toolCallId: string
  status: ToolCallRow['status']
  result?: unknown
  error?: ToolError
  /** Whether the failure may still be followed by another attempt, or is. */
  isHeld: boolean
}

/** Reads what became of a tool call so far. */
export function readToolCall({ services, run }: RunContext, toolCallId: string): Promise<KnownToolCall> {
  return services.store.read(async (transaction) => {
    const { status, holdUntil, retriedBy } = (await transaction.toolCalls.get(run.runId, toolCallId))!
    const known = { toolCallId, status, isHeld: holdUntil !== null || retriedBy !== null }
    if (status !== 'succeeded' && status !== 'failed') return known
    const types = ['tool.completed', 'tool.failed'] as const
    for (const { event } of await transaction.events.list({ runId: run.runId, after: 0, types })) {
      if (event.type === 'tool.completed' && event.payload.toolCallId === toolCallId) {
        return { ...known, result: event.payload.result }
      }
      if (event.type === 'tool.failed' && event.payload.toolCallId === toolCallId) {
        const { message, code = 'tool_failed', retryable } = event.payload.error
        return { ...known, error: new ToolError({ code, message, retryable }) }
      }
    }
    return known
  })
}
