import type { RunRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { countRecovery } from './countRecovery.ts'
import type { RunExecutor } from './createRunExecutor.ts'
import { endRun } from './endRun.ts'
import type { RunServices } from './runServices.ts'

/** How many runs are taken over at once: they are many where a node has died, and other nodes take their share. */
const batchSize = 50
/** How many of them at the same time: each takes several statements, and the lease of the first is running. */
const concurrency = 4

/**
 * Takes over the runs whose holder has died; with `node` also those of an earlier life of this node, at once. Of
 * several nodes that try, one succeeds.
 */
export async function recoverRuns(
  services: RunServices,
  executor: RunExecutor,
  { node }: { node?: string } = {},
): Promise<void> {
  const { store, now } = services
  const found = await store.read(({ leases }) => leases.listAbandoned({ now: now(), node, limit: batchSize }))
  const mine = new Set(executor.listWorking())
  // Whoever was too slow to hold on to a lease still works; its next heartbeat does it.
  const waiting = found.filter(({ runId }) => !mine.has(runId))
  const takeNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { runId, epoch } = next
      const taken = await store.transaction((transaction) => takeOver(services, transaction, { runId, epoch }))
      services.signals.notify(runId)
      if (taken !== undefined) executor.execute(taken.run, { epoch: taken.epoch, taking: 'recovered' })
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: concurrency }, takeNext))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure !== undefined) throw failure.reason
}

async function takeOver(
  services: RunServices,
  transaction: RunServerTransaction,
  { runId, epoch }: { runId: string; epoch: number },
): Promise<{ run: RunRow; epoch: number } | undefined> {
  const { holder, settings, now } = services
  const run = await transaction.runs.lock(runId)
  const lease = await transaction.leases.get(runId)
  // Somebody was faster, or the run has ended.
  if (run?.status !== 'running' || lease?.epoch !== epoch) return undefined
  // Let go of on purpose: nobody died of it.
  const hasDied = lease.leaseHolder !== null
  const ending = await countRecovery(services, transaction, { run, lease, hasDied })
  if (ending !== undefined) {
    await endRun(transaction, { runId, ending, now: now() })
    return undefined
  }
  const next = await transaction.leases.take(runId, holder, now() + settings.leaseMs)
  return next === undefined ? undefined : { run, epoch: next }
}
