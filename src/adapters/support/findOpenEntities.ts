import { getAgentEntityKey } from '../../protocol/getAgentEntityKey.ts'
import { recordOfKind, type AgentState } from '../../state/agentState.ts'
import type { AgentEntityBase } from '../../state/entities/agentEntityBase.ts'
import { isTerminal } from '../../state/isTerminal.ts'
import { getOwn } from '../../state/ownRecord.ts'
import type { OpenEntity } from './closeEntity.ts'

/** Finds what of a run has not ended, in the order in which it began. */
export function findOpenEntities(state: AgentState, runId: string): OpenEntity[] {
  return state.order.filter((entry) => {
    if (entry.runId !== runId) return false
    const record: Readonly<Record<string, AgentEntityBase>> = state[recordOfKind[entry.kind]]
    const entity = getOwn(record, getAgentEntityKey(runId, entry.id))
    return entity !== undefined && !isTerminal(entity.status)
  })
}
