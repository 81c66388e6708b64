import type { RunServices } from './runServices.ts'

/** Marks the runs that a stopped server left under way: they have not ended, and `resume` has them taken up again. */
export async function markInterruptedRuns({ store }: RunServices): Promise<void> {
  await store.transaction(async (transaction) => {
    for (const { runId } of await transaction.runs.listRunning()) {
      await transaction.runs.update(runId, { status: 'interrupted' })
    }
  })
}
