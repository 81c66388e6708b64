import type { EventRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { appendEvents } from './appendEvents.ts'
import type { EventDraft } from './eventDraft.ts'
import { findOpenEntities, type OpenEntity } from './findOpenEntities.ts'
import { writeCheckpoint } from './writeCheckpoint.ts'

/** Why a run ends before its work is done. */
export type RunEnding =
  | { type: 'cancelled'; reason?: string }
  | { type: 'failed'; error: { message: string; code: string; retryable?: boolean } }

/**
 * Ends a run early: what is open ends with it, then the run, all in the caller's transaction.
 *
 * @throws RunEndedError where it has ended already; LeaseLostError where another works on it.
 */
export async function endRun(
  transaction: RunServerTransaction,
  options: { runId: string; ending: RunEnding; now: number; epoch?: number },
): Promise<EventRow[]> {
  const { runId, ending, now, epoch } = options
  // Nobody may open anything between looking and closing.
  await transaction.runs.lock(runId)
  const open = await findOpenEntities(transaction, runId)
  const drafts = [...open.reverse().map((entity) => closeEntity(entity, ending)), endOf(ending)]
  const rows = await appendEvents(transaction, { runId, drafts, now, epoch })
  for (const { kind, id } of open) {
    if (kind === 'approval') await transaction.approvals.update(runId, id, { status: 'closed' })
    if (kind === 'tool') await closeToolCall(transaction, { runId, toolCallId: id, status: ending.type, now })
  }
  const kind = ending.type === 'failed' ? 'run_failed' : 'run_finished'
  await writeCheckpoint(transaction, { runId, kind, now })
  return rows
}

async function closeToolCall(
  transaction: RunServerTransaction,
  options: { runId: string; toolCallId: string; status: 'cancelled' | 'failed'; now: number },
): Promise<void> {
  const { runId, toolCallId, now } = options
  const call = await transaction.toolCalls.get(runId, toolCallId)
  // What it does outside may be done or not: the ledger must not say that it was not.
  const status = call?.status === 'started' && call.isExternal ? 'unknown' : options.status
  await transaction.toolCalls.update(runId, toolCallId, { status, holdUntil: null, completedAt: now })
}

function endOf(ending: RunEnding): EventDraft {
  return ending.type === 'failed'
    ? { type: 'run.failed', payload: { error: ending.error } }
    : { type: 'run.cancelled', payload: { reason: ending.reason } }
}

function closeEntity({ kind, id }: OpenEntity, ending: RunEnding): EventDraft {
  // The protocol knows no cancelled approval: it was open until the run ended, and then it lapsed.
  if (kind === 'approval') return { type: 'approval.resolved', payload: { approvalId: id, decision: 'expired' } }
  if (ending.type === 'failed') {
    const { error } = ending
    if (kind === 'message') return { type: 'message.failed', payload: { messageId: id, error } }
    if (kind === 'reasoning') return { type: 'reasoning.failed', payload: { reasoningId: id, error } }
    return { type: 'tool.failed', payload: { toolCallId: id, error: { ...error, retryable: false } } }
  }
  const { reason } = ending
  if (kind === 'message') return { type: 'message.cancelled', payload: { messageId: id, reason } }
  if (kind === 'reasoning') return { type: 'reasoning.cancelled', payload: { reasoningId: id, reason } }
  return { type: 'tool.cancelled', payload: { toolCallId: id, reason } }
}
