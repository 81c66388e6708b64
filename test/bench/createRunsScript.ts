import type { AgentEvent } from 'redux-agent'
import { createScript } from './createScript.ts'

const runLength = 5000

/** The script of `deltas` deltas in runs of 5,000, one after the other, as a session has them; the last one may go on. */
export function createRunsScript(options: { deltas: number; ends?: boolean }): AgentEvent[] {
  const { deltas, ends = true } = options
  const events: AgentEvent[] = []
  for (let done = 0; done < deltas; done += runLength) {
    const runId = `9f8b2c3e-1f7a-4c52-9d11-${String(done).padStart(12, '0')}`
    const isLast = done + runLength >= deltas
    events.push(...createScript({ deltas: Math.min(runLength, deltas - done), runId, ends: ends || !isLast }))
  }
  return events
}
