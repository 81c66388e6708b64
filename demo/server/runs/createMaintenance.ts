import type { RunExecutor } from './createRunExecutor.ts'
import { maintainRuns, type MaintenanceReport } from './maintainRuns.ts'
import type { RunServices } from './runServices.ts'

/** The job that keeps the store from growing for ever. */
export interface Maintenance {
  /** One round, now. */
  run(): Promise<MaintenanceReport>
  close(): Promise<void>
}

/** Makes the job of one process, with a round every `intervalMs` milliseconds; several nodes do each other no harm. */
export function createMaintenance(
  services: RunServices,
  executor: RunExecutor,
  { intervalMs }: { intervalMs: number },
): Maintenance {
  const { setTimer, observer } = services
  let cancelTimer = () => {}
  let isClosed = false
  let running: Promise<unknown> = Promise.resolve()

  const run = () => maintainRuns(services, executor)
  const schedule = () => {
    cancelTimer = setTimer(() => {
      running = run().catch((error: unknown) => observer.failed?.(error, {}))
      void running.finally(() => {
        if (!isClosed) schedule()
      })
    }, intervalMs)
  }
  schedule()
  return {
    run,
    async close() {
      isClosed = true
      cancelTimer()
      await running
    },
  }
}
