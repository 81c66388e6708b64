import type { RunExecutor } from './createRunExecutor.ts'
import { recoverRuns } from './recoverRuns.ts'
import type { RunServices } from './runServices.ts'

/** Holds on to this process's leases, and takes over runs that others have left. */
export interface LeaseKeeper {
  close(): Promise<void>
}

/**
 * Makes the keeper of one process: three heartbeats a lease, so that two may be lost. A node that freezes learns at the
 * first one after it that others have its runs.
 */
export function createLeaseKeeper(
  services: RunServices,
  executor: RunExecutor,
  { isRecovering }: { isRecovering: boolean },
): LeaseKeeper {
  const { store, holder, now, setTimer, observer, settings } = services
  let cancelTimer = () => {}
  let isClosed = false
  let beating: Promise<void> = Promise.resolve()
  let recovering: Promise<void> | undefined

  const renew = async () => {
    const runIds = executor.listWorking()
    if (runIds.length === 0) return
    const expiresAt = now() + settings.leaseMs
    const kept = new Set(await store.transaction(({ leases }) => leases.renew({ holder, runIds, expiresAt })))
    for (const runId of runIds) {
      // What has ended by itself meanwhile, or heard of it by a refused write, is no loss.
      if (kept.has(runId) || !executor.stop(runId)) continue
      observer.leaseLost?.(runId)
    }
  }
  // A database that is away for a while is tried again.
  const report = (error: unknown) => observer.failed?.(error, {})
  const beat = async () => {
    await renew().catch(report)
    if (!isRecovering || isClosed) return
    // Taking many runs over takes a while, in which those that are held must not be lost: no heartbeat waits for it.
    recovering ??= recoverRuns(services, executor)
      .catch(report)
      .finally(() => {
        recovering = undefined
      })
  }
  const schedule = () => {
    cancelTimer = setTimer(() => {
      beating = beat()
      void beating.finally(() => {
        if (!isClosed) schedule()
      })
    }, Math.ceil(settings.leaseMs / 3))
  }
  schedule()
  return {
    async close() {
      isClosed = true
      cancelTimer()
      await beating
      await recovering
    },
  }
}
