import type { RunRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { countRecovery } from './countRecovery.ts'
import type { RunExecutor } from './createRunExecutor.ts'
import { endRun } from './endRun.ts'
import type { RunServices } from './runServices.ts'

/** Why a run cannot be gone on with; `recoverable` where the same request may succeed later. */
export interface ResumeUnavailable {
  reason: 'checkpoint_missing' | 'model_unavailable' | 'too_many_runs'
  recoverable: boolean
}

export interface TakenUp {
  run: RunRow
  unavailable?: ResumeUnavailable
}

/**
 * Goes on with a run that was interrupted, under its own configuration, once however many ask; every other run is left
 * as it is: one that has ended stays so, and one that is running is somebody's already.
 */
export async function takeUpRun(services: RunServices, executor: RunExecutor, run: RunRow): Promise<TakenUp> {
  if (run.status !== 'interrupted') return { run }
  const taken = await services.store.transaction((transaction) => takeUp(services, transaction, run.runId))
  services.signals.notify(run.runId)
  if (taken.epoch !== undefined) executor.execute(taken.run, { epoch: taken.epoch, taking: 'resumed' })
  return taken
}

async function takeUp(
  services: RunServices,
  transaction: RunServerTransaction,
  runId: string,
): Promise<TakenUp & { epoch?: number }> {
  const { holder, settings, now } = services
  const run = (await transaction.runs.lock(runId))!
  if (run.status !== 'interrupted') return { run }
  const unavailable = await findObstacle(services, transaction, run)
  if (unavailable !== undefined) return { run, unavailable }
  const lease = (await transaction.leases.get(runId))!
  const ending = await countRecovery(services, transaction, { run, lease, hasDied: false })
  if (ending !== undefined) {
    await endRun(transaction, { runId, ending, now: now() })
    return { run: (await transaction.runs.get(runId))! }
  }
  await transaction.runs.update(runId, { status: 'running', interruption: null })
  const epoch = await transaction.leases.take(runId, holder, now() + settings.leaseMs)
  return { run: { ...run, status: 'running', interruption: null }, epoch }
}

async function findObstacle(
  { settings }: RunServices,
  transaction: RunServerTransaction,
  run: RunRow,
): Promise<ResumeUnavailable | undefined> {
  const checkpoint = await transaction.checkpoints.getLast(run.runId)
  if (checkpoint === undefined) return { reason: 'checkpoint_missing', recoverable: false }
  // Its thread was begun with that model: another one in silence is none of ours to choose.
  if (!settings.models.has(run.model)) return { reason: 'model_unavailable', recoverable: false }
  if ((await transaction.runs.countRunning(run.ownerId)) >= settings.maxRunningRuns) {
    return { reason: 'too_many_runs', recoverable: true }
  }
  return undefined
}
