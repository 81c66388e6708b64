import { RunServerError } from '../runServerError.ts'
import type { RunRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'

/** Reads a run of this owner, and with `lock` keeps it as it is; another's does not exist: RunServerError 404 then. */
export async function readRun(
  transaction: RunServerTransaction,
  ownerId: string,
  runId: string,
  { lock = false } = {},
): Promise<RunRow> {
  const run = await (lock ? transaction.runs.lock(runId) : transaction.runs.get(runId))
  if (run !== undefined && run.ownerId === ownerId) return run
  throw new RunServerError({ status: 404, code: 'run_not_found', message: 'There is no such run.' })
}
