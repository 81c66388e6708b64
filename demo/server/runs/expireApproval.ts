import type { ApprovalRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import type { EventDraft } from './eventDraft.ts'

/** Closes an approval whose time is up, with its tool call, in the caller's transaction; gives the events of that. */
export async function expireApproval(
  transaction: RunServerTransaction,
  { approval, now }: { approval: ApprovalRow; now: number },
): Promise<EventDraft[]> {
  const { runId, approvalId, toolCallId } = approval
  const run = (await transaction.runs.lock(runId))!
  // Its event is the next one.
  await transaction.approvals.update(runId, approvalId, { status: 'expired', resolvedSeq: run.lastSeq + 1 })
  await transaction.toolCalls.update(runId, toolCallId, { status: 'cancelled', completedAt: now })
  const waiting = await transaction.approvals.listWaiting(runId)
  if (waiting.length === 0) await transaction.runs.update(runId, { waitingSince: null })
  return [
    { type: 'approval.resolved', payload: { approvalId, decision: 'expired' } },
    { type: 'tool.cancelled', payload: { toolCallId, reason: 'expired' } },
  ]
}
