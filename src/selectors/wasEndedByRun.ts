import type { AgentApprovalState } from '../state/entities/agentApprovalState.ts'

/**
 * Whether nobody answered because the run ended, not because the time was up: the protocol has the one word `expired`
 * for both. What had no deadline, or was closed before it, cannot have run out of time.
 */
export function wasEndedByRun(
  { decision, expiresAt, updatedAt }: Pick<AgentApprovalState, 'decision' | 'expiresAt' | 'updatedAt'>,
  isRunOver: boolean,
): boolean {
  return decision === 'expired' && isRunOver && (expiresAt === undefined || updatedAt < expiresAt)
}
