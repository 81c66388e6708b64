import type { AgentCommand } from 'redux-agent'
import { RunServerError } from '../runServerError.ts'
import type { EventRow, RunRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { appendEvents } from './appendEvents.ts'
import { requireRunning } from './requireRunning.ts'
import type { RunServices } from './runServices.ts'

type Retry = Extract<AgentCommand, { type: 'tool.retry' }>['payload']

/** Asks for a failed tool call once more: a new call, while the failed one stays as it is. */
export async function retryTool(
  { createId, now }: RunServices,
  transaction: RunServerTransaction,
  run: RunRow,
  { toolCallId }: Retry,
): Promise<EventRow[]> {
  const { runId } = run
  const failed = await transaction.toolCalls.get(runId, toolCallId)
  if (failed === undefined) {
    throw new RunServerError({ status: 404, code: 'tool_call_not_found', message: 'There is no such tool call.' })
  }
  await requireRunning(transaction, run)
  if (failed.retriedBy !== null) {
    throw new RunServerError({
      status: 409,
      code: 'already_retried',
      message: 'This tool call was already retried.',
      details: { toolCallId: failed.retriedBy },
    })
  }
  const isFailed = failed.status === 'failed' || failed.status === 'unknown'
  if (!isFailed || failed.holdUntil === null || failed.holdUntil <= now()) {
    throw new RunServerError({
      status: 409,
      code: 'not_retryable',
      message: 'This tool call cannot be retried: it did not fail for a while, or the run has gone on without it.',
    })
  }
  const attempt = failed.attempt + 1
  const open = { result: null, signature: null, revision: null, holdUntil: null, retriedBy: null, completedAt: null }
  const next = { ...failed, ...open, toolCallId: createId(), attempt }
  await transaction.toolCalls.insert({ ...next, status: 'requested', isExternal: false })
  await transaction.toolCalls.update(runId, toolCallId, { retriedBy: next.toolCallId, holdUntil: null })
  const { name, arguments: input } = failed
  const payload = { toolCallId: next.toolCallId, name, arguments: input, attempt, retryOf: toolCallId }
  return appendEvents(transaction, { runId, drafts: [{ type: 'tool.requested', payload }], now: now() })
}
