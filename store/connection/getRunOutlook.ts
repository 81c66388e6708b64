import type { AgentStateSlice } from '../agentState/agentStateSlice.ts'
import { findRun } from '../runtime/findRun.ts'

/**
 * Says what may come of a run whose stream is over: `ended` for good, `parked` while it waits for a person's answer,
 * or `open`, when more should have come (design, section 6).
 */
export function getRunOutlook(slice: AgentStateSlice, runId: string): 'ended' | 'parked' | 'open' {
  const found = findRun(slice, runId)
  if (!found) return 'open'
  const { runs, approvals } = found.state
  if (runs[runId]!.status !== 'running') return 'ended'
  const isWaiting = Object.values(approvals).some((entry) => entry.runId === runId && entry.status === 'waiting')
  return isWaiting ? 'parked' : 'open'
}
