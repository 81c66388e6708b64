import { createSelector } from '@reduxjs/toolkit'
import type { AgentState } from 'redux-agent'
import type { RootState } from '../app/store.ts'
import { agent } from './agent.ts'
import { selectRunEntities } from './selectRunEntities.ts'

/**
 * How a run stands for the person: `waiting` for a decision, `held` by a failure that they can have tried again;
 * `cut` while its wire is being taken up again, `offline` until there is a network for that; `stopped` and `lost` runs
 * may go on where this page does not see it; of one that is at work `elsewhere` this page holds nothing, and whether
 * another follows it, or none, it cannot know.
 */
export type RunPhase =
  'working' | 'waiting' | 'held' | 'cut' | 'offline' | 'stopped' | 'lost' | 'elsewhere' | 'interrupted' | 'completed' | 'failed' | 'cancelled'

/** Puts together what the run says of itself and what its wire does. */
export function selectRunPhase(state: RootState, runId: string): RunPhase | undefined {
  const run = agent.selectors.selectRun(state, { runId })
  if (!run) return undefined
  if (run.status !== 'running') return run.status
  const connection = agent.selectors.selectRunConnection(state, runId)
  if (connection?.detached) return 'stopped'
  if (connection?.state === 'failed' || connection?.state === 'unrecoverable') return 'lost'
  const need = selectNeed(state, runId)
  // What waits for the person can be decided on a lost wire, too.
  if (need !== 'working') return need
  if (connection?.isOffline) return 'offline'
  // The first attempt, as after a reload, is no news.
  return connection?.state === 'reconnecting' && connection.attempt !== undefined ? 'cut' : 'working'
}

/** What a running run needs of the person, looked for again only when something other than its text changes. */
const selectNeed = createSelector(
  (state: RootState, runId: string) => selectRunEntities(state, runId)?.approvals,
  (state: RootState, runId: string) => selectRunEntities(state, runId)?.toolCalls,
  (state: RootState, runId: string) => selectRunEntities(state, runId)?.order,
  (_state: RootState, runId: string) => runId,
  (approvals = {}, toolCalls = {}, order = [], runId): 'working' | 'waiting' | 'held' => {
    if (Object.values(approvals).some((entry) => entry.runId === runId && entry.status === 'waiting')) return 'waiting'
    return isHeld({ toolCalls, order }, runId) ? 'held' : 'working'
  },
)

/** A run is held by its last tool call, unless it was tried again or the run went on to something else. */
function isHeld({ toolCalls, order }: Pick<AgentState, 'toolCalls' | 'order'>, runId: string): boolean {
  const last = order.findLast((entry) => entry.runId === runId && entry.kind !== 'approval')
  if (last?.kind !== 'tool') return false
  const toolCall = Object.values(toolCalls).find((entry) => entry.runId === runId && entry.id === last.id)
  return toolCall?.status === 'failed' && toolCall.error?.retryable === true
}
