import type { RunStatus } from '../store/rows.ts'

/** Whether a run is over for good; one that was interrupted is not. */
export function hasEnded(status: RunStatus): boolean {
  return status !== 'running' && status !== 'interrupted'
}
