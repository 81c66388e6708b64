import type { RunExecutor } from './createRunExecutor.ts'
import { endRun } from './endRun.ts'
import { hasEnded } from './hasEnded.ts'
import type { RunServices } from './runServices.ts'

const batchSize = 100

/** What one round of retention and compaction did. */
export interface MaintenanceReport {
  /** Runs that never came to an end and were given up. */
  ended: number
  /** Runs whose log was dropped; their messages, last checkpoint and tool results stay. */
  dropped: number
  /** Runs that have ended and were left with their last checkpoint alone. */
  compacted: number
  /** Idempotency records that nobody will ask for any more. */
  forgotten: number
}

/**
 * Drops what is no longer needed. The whole log of a run goes at once, so that what a reader gets stays dense: from
 * then on its cursor is refused (410) with the checkpoint that is left.
 */
export async function maintainRuns(
  services: Pick<RunServices, 'store' | 'now' | 'signals' | 'settings'>,
  executor: Pick<RunExecutor, 'stop'>,
): Promise<MaintenanceReport> {
  const { store, now, signals, settings } = services
  const report = { ended: 0, dropped: 0, compacted: 0, forgotten: 0 }
  for (const { runId } of await store.read(({ runs }) => runs.listExpired(now(), batchSize))) {
    const outcome = await store.transaction(async (transaction) => {
      const run = await transaction.runs.lock(runId)
      // Another node was faster, or something happened meanwhile.
      if (run === undefined || run.expiresAt > now() || run.firstSeq > run.lastSeq) return undefined
      if (!hasEnded(run.status)) {
        const error = { code: 'run_expired', message: 'Nobody came back to the run. Ask again.', retryable: false }
        await endRun(transaction, { runId, ending: { type: 'failed', error }, now: now() })
        return 'ended'
      }
      await transaction.events.removeAll(runId)
      await transaction.runs.update(runId, { firstSeq: run.lastSeq + 1 })
      return 'dropped'
    })
    if (outcome === undefined) continue
    report[outcome] += 1
    executor.stop(runId)
    signals.notify(runId)
  }
  report.compacted = await store.transaction(({ checkpoints }) => checkpoints.compact(batchSize))
  const oldest = now() - settings.retentionMs
  report.forgotten = await store.transaction(({ idempotency }) => idempotency.removeBefore(oldest))
  return report
}
