import type { AgentEntityBase } from './entities/agentEntityBase.ts'
import type { Mutable } from './eventWriter.ts'

/** Sets what a terminal event states; an absent field stays absent. */
export function settle(
  entity: Mutable<AgentEntityBase>,
  end: Pick<AgentEntityBase, 'status'> & Partial<Pick<AgentEntityBase, 'error' | 'reason'>>,
): true {
  entity.status = end.status
  if (end.error !== undefined) entity.error = end.error
  if (end.reason !== undefined) entity.reason = end.reason
  return true
}
