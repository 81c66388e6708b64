import type { AgentConnectionView } from './useConnection.ts'

/** Says whether a wire is being taken up again after a loss; the first attempt, as after a reload, is none yet. */
export function isWireCut(wire: Pick<AgentConnectionView, 'attempt' | 'isOffline'> | undefined): boolean {
  return wire?.attempt !== undefined || wire?.isOffline === true
}
