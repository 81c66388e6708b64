import type { RunRow } from '../store/rows.ts'
import type { RunRecorder } from './createRunRecorder.ts'
import type { RunServices } from './runServices.ts'

/** One run at work. */
export interface RunContext {
  services: RunServices
  run: RunRow
  recorder: RunRecorder
  signal: AbortSignal
}
