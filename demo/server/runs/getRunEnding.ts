import type { RunStatus } from '../store/rows.ts'

const endings: ReadonlyMap<string, RunStatus> = new Map([
  ['run.completed', 'completed'],
  ['run.failed', 'failed'],
  ['run.cancelled', 'cancelled'],
])

/** What a run is after an event of this type, where that ends it. */
export function getRunEnding(type: string): RunStatus | undefined {
  return endings.get(type)
}
