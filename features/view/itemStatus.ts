import type { AgentEntityStatus } from '../../src/state/entities/agentEntityBase.ts'
import { isTerminal } from '../../src/state/isTerminal.ts'

/** How an entity's run stands for the eye: still at it, over, let go of on this page, or out of its reach for now. */
export type RunOutlook = 'running' | 'ended' | 'detached' | 'lost'

/**
 * The status that is shown: an open entity of a run that is over neither works nor waits any more (design, 5), and a
 * tool call that an approval asks about is held up by nothing else.
 */
export type ItemStatus = AgentEntityStatus | 'asked' | 'ended' | 'detached' | 'lost'

export function getItemStatus(status: AgentEntityStatus, outlook: RunOutlook): ItemStatus {
  return outlook === 'running' || isTerminal(status) ? status : outlook
}
