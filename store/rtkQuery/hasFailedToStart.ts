import { getOwn } from '../../src/state/ownRecord.ts'
import type { StoreRuntime } from '../runtime/createStoreRuntime.ts'
import { findRun } from '../runtime/findRun.ts'

/** Whether a run's wire failed before its runtime said a word: as far as anyone knows here, there is no such run. */
export function hasFailedToStart({ present }: StoreRuntime, runId: string): boolean {
  const { agentState, connection } = present.get()
  const wire = getOwn(connection.runs, runId)
  // One that was tried again is lost and not failed; one that cannot be tried again may have begun all the same.
  const isDown = wire?.state === 'failed' || (wire?.state === 'unrecoverable' && wire.canResume === true)
  return isDown && !findRun(agentState, runId)
}
