import { endRun } from './endRun.ts'
import type { RunServices } from './runServices.ts'

/** Ends the runs that a stopped server left under way: it cannot take them up, and they must not block a thread. */
export async function failInterruptedRuns({ store, now }: RunServices): Promise<void> {
  const error = { message: 'The server was stopped during this run. Ask again.', code: 'interrupted', retryable: true }
  await store.transaction(async (transaction) => {
    for (const { runId } of await transaction.runs.listRunning()) {
      await endRun(transaction, { runId, ending: { type: 'failed', error }, now: now() })
    }
  })
}
