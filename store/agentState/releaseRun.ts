import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import type { AgentSession } from './agentStateSlice.ts'
import { pickRuns } from './pickRuns.ts'

/** Lets go of a run with all that belongs to it; the session itself where it does not hold the run. */
export function releaseRun(session: AgentSession, runId: string): AgentSession {
  const active = withoutRun(session.active, session.activePositions, runId)
  const settled = withoutRun(session.settled, session.settledPositions, runId)
  if (!active && !settled) return session
  return {
    active: active?.state ?? session.active,
    settled: settled?.state ?? session.settled,
    activePositions: active?.positions ?? session.activePositions,
    settledPositions: settled?.positions ?? session.settledPositions,
  }
}

function withoutRun(state: AgentState, positions: readonly number[], runId: string) {
  if (!getOwn(state.runs, runId)) return undefined
  const kept = [...state.order.keys()].filter((index) => state.order[index]!.runId !== runId)
  return {
    state: { ...pickRuns(state, (id) => id !== runId), order: kept.map((index) => state.order[index]!) },
    positions: kept.map((index) => positions[index]!),
  }
}
