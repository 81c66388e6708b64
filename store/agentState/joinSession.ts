import type { AgentState } from '../../src/state/agentState.ts'
import type { AgentSession } from './agentStateSlice.ts'
import { joinRecords } from './joinRecords.ts'
import { mergeOrders } from './mergeOrders.ts'

/** Joins a session's two parts into the one AgentState that a plain replay gives. */
export function joinSession({ active, settled, activePositions, settledPositions }: AgentSession): AgentState {
  if (settled.order.length === 0 && Object.keys(settled.runs).length === 0) return active
  const left = { order: settled.order, positions: settledPositions }
  const { order } = mergeOrders(left, { order: active.order, positions: activePositions })
  return { ...active, ...joinRecords(settled, active), order }
}
