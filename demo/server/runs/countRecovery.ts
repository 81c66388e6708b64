import type { LeaseRow, RunRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import type { RunEnding } from './endRun.ts'
import type { RunServices } from './runServices.ts'

/** What only the model, a tool or a person adds; whoever takes a run up closes what was cut, which is no progress. */
const progress = [
  ...(['run.started', 'message.delta', 'reasoning.delta', 'tool.requested', 'tool.running'] as const),
  ...(['tool.completed', 'tool.failed', 'approval.requested', 'approval.resolved'] as const),
]

/**
 * Counts one more attempt at a run, in the caller's transaction, and gives the end of the run where its budget is
 * spent: a run that takes its server down, or never gets anywhere, must not be tried for ever.
 */
export async function countRecovery(
  { settings, now }: RunServices,
  transaction: RunServerTransaction,
  options: { run: RunRow; lease: LeaseRow; hasDied: boolean },
): Promise<RunEnding | undefined> {
  const { run, lease, hasDied } = options
  const { maxRecoveries, maxIdleRecoveries, maxAgeMs } = settings.recovery
  const { runId } = run
  const recoveries = lease.recoveries + (hasDied ? 1 : 0)
  const rows = await transaction.events.list({ runId, after: lease.recoveredAtSeq, types: progress, limit: 1 })
  // While a person is asked, there is nothing else to be done.
  const isIdle = rows.length === 0 && run.waitingSince === null
  const idleRecoveries = isIdle ? lease.idleRecoveries + 1 : 0
  await transaction.leases.update(runId, { recoveries, idleRecoveries, recoveredAtSeq: run.lastSeq })
  if (now() - run.createdAt > maxAgeMs) {
    return fail('run_expired', 'The run took longer than it may. Ask again.')
  }
  if (recoveries > maxRecoveries || idleRecoveries > maxIdleRecoveries) {
    return fail('recovery_exhausted', 'The run broke off again and again, and was given up. Ask again.')
  }
  return undefined
}

function fail(code: string, message: string): RunEnding {
  return { type: 'failed', error: { code, message, retryable: false } }
}
