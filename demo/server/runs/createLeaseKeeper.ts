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

  const beat = async () => {
    const runIds = executor.listWorking()
    if (runIds.length > 0) {
      const expiresAt = now() + settings.leaseMs
      const kept = new Set(await store.transaction(({ leases }) => leases.renew({ holder, runIds, expiresAt })))
      for (const runId of runIds) if (!kept.has(runId)) executor.stop(runId)
    }
    if (isRecovering && !isClosed) await recoverRuns(services, executor)
  }
  const schedule = () => {
    cancelTimer = setTimer(() => {
      // A database that is away for a while is tried again.
      beating = beat().catch((error: unknown) => observer.failed?.(error, {}))
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
    },
  }
}
