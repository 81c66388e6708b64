import type { AgentEntityStatus } from './entities/agentEntityBase.ts'

/** Says whether an entity or a run has ended: nothing changes it any more. */
export function isTerminal(status: AgentEntityStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}
