import { recordOfKind, type AgentState } from '../../src/state/agentState.ts'
import type { AgentSession } from './agentStateSlice.ts'
import { mergeOrders } from './mergeOrders.ts'

/** Joins a session's two parts into the one AgentState that a plain replay gives. */
export function joinSession({ active, settled, activePositions, settledPositions }: AgentSession): AgentState {
  if (settled.order.length === 0 && Object.keys(settled.runs).length === 0) return active
  const joined: Record<string, unknown> = { ...active }
  for (const name of [...Object.values(recordOfKind), 'runs', 'lastSequenceByRun'] as const) {
    joined[name] = { ...settled[name], ...active[name] }
  }
  const left = { order: settled.order, positions: settledPositions }
  joined.order = mergeOrders(left, { order: active.order, positions: activePositions }).order
  return joined as unknown as AgentState
}
