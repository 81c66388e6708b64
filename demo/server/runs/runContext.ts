import type { RunRow } from '../store/rows.ts'
import type { RunRecorder } from './createRunRecorder.ts'
import type { RunServices } from './runServices.ts'

/** One run at work, under the lease of this epoch. */
export interface RunContext {
  services: RunServices
  run: RunRow
  epoch: number
  recorder: RunRecorder
  signal: AbortSignal
}
