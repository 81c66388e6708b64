import type { AgentApprovalState } from '../../src/state/entities/agentApprovalState.ts'
import type { RunOutlook } from '../view/itemStatus.ts'

/**
 * Whether nobody answered because the run ended, not because the time was up: the protocol has the one word `expired`
 * for both. What had no deadline, or was closed before it, cannot have run out of time.
 */
export function wasEndedByRun({ decision, expiresAt, updatedAt }: AgentApprovalState, outlook: RunOutlook): boolean {
  return decision === 'expired' && outlook === 'ended' && (expiresAt === undefined || updatedAt < expiresAt)
}
