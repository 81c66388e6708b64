import type { AgentToolCallState } from '../../src/state/entities/agentToolCallState.ts'
import type { RunOutlook } from '../view/itemStatus.ts'

/** Says whether a tool call's arguments may still be streaming in. */
export function isArriving({ status }: AgentToolCallState, outlook: RunOutlook): boolean {
  return status === 'pending' && (outlook === 'running' || outlook === 'lost')
}
