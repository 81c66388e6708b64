import { getAgentEntityKey } from '../protocol/getAgentEntityKey.ts'
import { recordOfKind, type AgentState } from '../state/agentState.ts'
import type { AgentEntityBase } from '../state/entities/agentEntityBase.ts'

/**
 * Finds what the parts of a well-formed state say of each other and is not so: the reducer and the selectors take for
 * granted that keys are right, that every entity has its run and exactly one place in the order.
 */
export function findStateFault(state: AgentState): string | undefined {
  for (const name of ['sessions', 'runs'] as const) {
    const record: Readonly<Record<string, { id: string }>> = state[name]
    if (Object.keys(record).some((key) => record[key]!.id !== key)) return `an entry of state.${name} has another's key`
  }
  if (Object.keys(state.runs).some((id) => !Object.hasOwn(state.lastSequenceByRun, id))) {
    return 'a run of state.runs has no sequence'
  }
  let entityCount = 0
  for (const name of Object.values(recordOfKind)) {
    const record: Readonly<Record<string, AgentEntityBase>> = state[name]
    for (const key of Object.keys(record)) {
      const { runId, id } = record[key]!
      if (getAgentEntityKey(runId, id) !== key) return `an entry of state.${name} has another's key`
      if (!Object.hasOwn(state.runs, runId)) return `an entry of state.${name} has no run`
      entityCount += 1
    }
  }
  const placed = new Set<string>()
  for (const { kind, runId, id } of state.order) {
    const key = getAgentEntityKey(runId, id)
    if (!Object.hasOwn(state[recordOfKind[kind]], key)) return 'an entry of state.order has no entity'
    placed.add(`${kind}:${key}`)
  }
  if (placed.size !== state.order.length) return 'state.order holds an entity twice'
  return placed.size === entityCount ? undefined : 'an entity is missing in state.order'
}
