import type { ThreadMessageLike } from '@assistant-ui/react'
import { assertNever } from '../../src/assertNever.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'

/** What assistant-ui calls the state of a run's message; only the run's last one is unfinished with it. */
export function toThreadStatus(
  state: AgentState,
  { runId, isLast, isRequesting }: { runId: string; isLast: boolean; isRequesting: boolean },
): NonNullable<ThreadMessageLike['status']> {
  const run = getOwn(state.runs, runId)
  if (!run || !isLast) return { type: 'complete', reason: 'stop' }
  switch (run.status) {
    case 'running':
      if (isWaiting(state, runId)) return { type: 'requires-action', reason: 'tool-calls' }
      // One that this page has let go of, or lost.
      return isRequesting ? { type: 'running' } : { type: 'incomplete', reason: 'cancelled' }
    case 'completed':
      return { type: 'complete', reason: 'stop' }
    case 'failed':
      return { type: 'incomplete', reason: 'error', error: run.error?.message ?? '' }
    case 'cancelled':
      return { type: 'incomplete', reason: 'cancelled' }
    default:
      return assertNever(run.status)
  }
}

const isWaiting = (state: AgentState, runId: string) =>
  Object.values(state.approvals).some((approval) => approval.runId === runId && approval.status === 'waiting')
