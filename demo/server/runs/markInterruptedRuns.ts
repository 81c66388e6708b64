import type { RunServices } from './runServices.ts'

/** Leaves the runs of a server that was stopped to the people who started them: `resume` has them taken up again. */
export async function markInterruptedRuns({ store, now, holder }: RunServices): Promise<void> {
  const node = holder.slice(0, holder.lastIndexOf('/'))
  await store.transaction(async ({ leases, runs }) => {
    for (const { runId, epoch } of await leases.listAbandoned({ now: now(), node, limit: 10_000 })) {
      await runs.update(runId, { status: 'interrupted', interruption: 'server_stopped' })
      await leases.release(runId, epoch)
    }
  })
}
