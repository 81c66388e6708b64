import type { AgentEntityReference } from '../../src/state/agentState.ts'
import type { AgentSession } from './agentStateSlice.ts'
import { joinRecords } from './joinRecords.ts'
import { mergeOrders } from './mergeOrders.ts'
import { pickRuns } from './pickRuns.ts'

type Owner = (runId: string) => boolean

/** Moves ended runs with all that belongs to them from `active` to `settled`. */
export function settleRuns(session: AgentSession, ended: ReadonlySet<string>): AgentSession {
  const { active, settled } = session
  const isEnded: Owner = (runId) => ended.has(runId)
  const isOpen: Owner = (runId) => !ended.has(runId)
  const moved = orderOf(session, isEnded)
  const kept = orderOf(session, isOpen)
  const merged = mergeOrders({ order: settled.order, positions: session.settledPositions }, moved)
  return {
    active: { ...pickRuns(active, isOpen), order: kept.order },
    settled: { ...settled, ...joinRecords(settled, pickRuns(active, isEnded)), order: merged.order },
    activePositions: kept.positions,
    settledPositions: merged.positions,
  }
}

function orderOf(session: AgentSession, owns: Owner) {
  const order: AgentEntityReference[] = []
  const positions: number[] = []
  session.active.order.forEach((reference, index) => {
    if (!owns(reference.runId)) return
    order.push(reference)
    positions.push(session.activePositions[index]!)
  })
  return { order, positions }
}
