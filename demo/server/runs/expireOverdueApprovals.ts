import { appendEvents } from './appendEvents.ts'
import { expireApproval } from './expireApproval.ts'
import { hasEnded } from './hasEnded.ts'
import type { RunServices } from './runServices.ts'

/**
 * Closes the approvals of a run whose time is up, by this server's clock, before anybody decides on them: whoever works
 * on the run may not have got to it.
 */
export async function expireOverdueApprovals({ store, now, signals }: RunServices, runId: string): Promise<void> {
  const isOverdue = ({ expiresAt }: { expiresAt: number }) => expiresAt <= now()
  const waiting = await store.read(({ approvals }) => approvals.listWaiting(runId))
  if (!waiting.some(isOverdue)) return
  await store.transaction(async (transaction) => {
    const run = await transaction.runs.lock(runId)
    if (run === undefined || hasEnded(run.status)) return
    for (const approval of (await transaction.approvals.listWaiting(runId)).filter(isOverdue)) {
      const drafts = await expireApproval(transaction, { approval, now: now() })
      await appendEvents(transaction, { runId, drafts, now: now() })
    }
  })
  signals.notify(runId)
}
