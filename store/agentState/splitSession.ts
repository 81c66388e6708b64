import type { AgentState } from '../../src/state/agentState.ts'
import { createInitialAgentState } from '../../src/state/createInitialAgentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentSession } from './agentStateSlice.ts'
import { joinRecords } from './joinRecords.ts'
import { pickRuns } from './pickRuns.ts'

/** Parts one AgentState into the runs that are running and those that ended: the reverse of `joinSession`. */
export function splitSession(state: AgentState): AgentSession {
  const isRunning = (runId: string) => getOwn(state.runs, runId)?.status === 'running'
  const isOver = (runId: string) => !isRunning(runId)
  const active = takeOrder(state, isRunning)
  const over = takeOrder(state, isOver)
  const nothing = createInitialAgentState()
  return {
    active: { ...pickRuns(state, isRunning), order: active.order },
    settled: { ...nothing, ...joinRecords(nothing, pickRuns(state, isOver)), order: over.order },
    activePositions: active.positions,
    settledPositions: over.positions,
  }
}

function takeOrder({ order }: AgentState, owns: (runId: string) => boolean) {
  const positions = [...order.keys()].filter((index) => owns(order[index]!.runId))
  return { order: positions.map((index) => order[index]!), positions }
}
