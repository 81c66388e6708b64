import type { RunRow } from '../store/rows.ts'
import type { RunExecutor } from './createRunExecutor.ts'
import type { RunServices } from './runServices.ts'

/** Goes on with a run that was interrupted, once however many ask; every other run is left as it is. */
export async function takeUpRun({ store }: RunServices, executor: RunExecutor, run: RunRow): Promise<RunRow> {
  if (run.status !== 'interrupted') return run
  const { current, isMine } = await store.transaction(async (transaction) => {
    const found = (await transaction.runs.lock(run.runId))!
    if (found.status !== 'interrupted') return { current: found, isMine: false }
    await transaction.runs.update(run.runId, { status: 'running' })
    return { current: { ...found, status: 'running' as const }, isMine: true }
  })
  if (isMine) executor.execute(current)
  return current
}
