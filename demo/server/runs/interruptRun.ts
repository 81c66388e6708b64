import { appendEvents } from './appendEvents.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { findOpenEntities } from './findOpenEntities.ts'
import { readMessageContent } from './readMessageContent.ts'
import type { RunServices } from './runServices.ts'
import { writeCheckpoint } from './writeCheckpoint.ts'

/**
 * Leaves a run as it stands, to be taken up again: what was said stays open, its streams end without an end, and nobody
 * works on it until it is asked for.
 *
 * @throws RunEndedError, LeaseLostError where it is not this lease's to leave.
 */
export async function interruptRun(
  { store, now, observer }: RunServices,
  { runId, epoch, reason }: { runId: string; epoch: number; reason: string },
): Promise<void> {
  await store.transaction(async (transaction) => {
    await appendEvents(transaction, { runId, drafts: [], now: now(), epoch })
    await showOpenMessages(transaction, runId)
    await writeCheckpoint(transaction, { runId, kind: 'run_failed', now: now() })
    await transaction.runs.update(runId, { status: 'interrupted', interruption: reason })
    await transaction.leases.release(runId, epoch)
  })
  observer.runInterrupted?.(runId, reason)
}

/** Whoever reads the conversation meanwhile finds what was said so far, in the message that is gone on with later. */
async function showOpenMessages(transaction: RunServerTransaction, runId: string): Promise<void> {
  for (const { kind, id } of await findOpenEntities(transaction, runId)) {
    if (kind !== 'message') continue
    const content = await readMessageContent(transaction, runId, id)
    await transaction.messages.update(runId, id, { status: 'streaming', content })
  }
}
