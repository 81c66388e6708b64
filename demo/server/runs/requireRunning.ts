import { RunServerError } from '../runServerError.ts'
import type { RunRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { hasEnded } from './hasEnded.ts'

/** Refuses what comes too late, with the event that ended the run. */
export async function requireRunning(transaction: RunServerTransaction, run: RunRow): Promise<void> {
  if (!hasEnded(run.status)) return
  throw new RunServerError({
    status: 409,
    code: 'run_ended',
    message: `The run has ended already: it is ${run.status}.`,
    details: {
      runStatus: run.status,
      events: await transaction.events.list({ runId: run.runId, after: run.lastSeq - 1 }),
    },
  })
}
