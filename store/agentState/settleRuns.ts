import { recordOfKind, type AgentEntityReference, type AgentState } from '../../src/state/agentState.ts'
import type { AgentEntityBase } from '../../src/state/entities/agentEntityBase.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { mergeOrders } from './mergeOrders.ts'
import type { AgentSession } from './agentStateSlice.ts'

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
    active: { ...partOf(active, isOpen), order: kept.order },
    settled: { ...joinParts(settled, partOf(active, isEnded)), order: merged.order },
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

/** What of a state belongs to the runs that `owns` names; sessions and issues belong to none and stay. */
function partOf(state: AgentState, owns: Owner): AgentState {
  const part: Record<string, unknown> = { ...state }
  for (const name of Object.values(recordOfKind)) {
    part[name] = filterRecord<AgentEntityBase>(state[name], (_, entity) => owns(entity.runId))
  }
  part.runs = filterRecord(state.runs, owns)
  part.lastSequenceByRun = filterRecord(state.lastSequenceByRun, owns)
  part.processedEvents = filterRecord(state.processedEvents, owns)
  return part as unknown as AgentState
}

function joinParts(settled: AgentState, part: AgentState): AgentState {
  const joined: Record<string, unknown> = { ...settled }
  for (const name of [...Object.values(recordOfKind), 'runs', 'lastSequenceByRun'] as const) {
    joined[name] = { ...settled[name], ...part[name] }
  }
  return joined as unknown as AgentState
}

function filterRecord<Value>(
  record: Readonly<Record<string, Value>>,
  keeps: (key: string, value: Value) => boolean,
): Record<string, Value> {
  const entries = Object.keys(record).map((key) => [key, getOwn(record, key) as Value] as const)
  return Object.fromEntries(entries.filter(([key, value]) => keeps(key, value)))
}
