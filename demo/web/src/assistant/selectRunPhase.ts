import type { RootState } from '../app/store.ts'
import { agent } from './agent.ts'

/** How a run stands for the person; `stopped` and `lost` runs may go on where this page does not see it. */
export type RunPhase = 'working' | 'waiting' | 'stopped' | 'lost' | 'completed' | 'failed' | 'cancelled'

/** Puts together what the run says of itself and what its wire does. */
export function selectRunPhase(state: RootState, runId: string): RunPhase | undefined {
  const run = agent.selectors.selectRun(state, { runId })
  if (!run) return undefined
  if (run.status !== 'running') return run.status
  const connection = agent.selectors.selectRunConnection(state, runId)
  if (connection?.detached) return 'stopped'
  if (connection?.state === 'failed' || connection?.state === 'unrecoverable') return 'lost'
  const { approvals = {} } = agent.selectors.selectSession(state, run.sessionId)?.active ?? {}
  const isWaiting = Object.values(approvals).some((entry) => entry.runId === runId && entry.status === 'waiting')
  return isWaiting ? 'waiting' : 'working'
}
