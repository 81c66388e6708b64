import type { ToolError } from '../tools/toolError.ts'
import type { RunContext } from './runContext.ts'

/** Stores that a tool call failed, and until when a person may ask for another attempt. */
export async function failToolCall(
  { services, run, recorder }: RunContext,
  toolCallId: string,
  { error, holdUntil }: { error: ToolError; holdUntil: number | null },
): Promise<void> {
  const { message, code, retryable } = error
  const status = error.isOutcomeUnknown ? 'unknown' : 'failed'
  const payload = { toolCallId, error: { message, code, retryable } }
  let name = ''
  await recorder.commit(async (transaction) => {
    name = (await transaction.toolCalls.get(run.runId, toolCallId))?.name ?? ''
    const completedAt = services.now()
    const result = { message, code, retryable }
    await transaction.toolCalls.update(run.runId, toolCallId, { status, result, holdUntil, completedAt })
    return [{ type: 'tool.failed', payload }]
  })
  services.observer.toolEnded?.({ runId: run.runId, toolCallId, name, status })
}
