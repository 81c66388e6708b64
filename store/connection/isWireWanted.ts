import type { AgentConnectionState } from './agentRunConnection.ts'

/** Says whether a wire is open, or about to be: another tab that takes the run over opens it as well. */
export function isWireWanted(state: AgentConnectionState): boolean {
  return state === 'connecting' || state === 'connected' || state === 'reconnecting'
}
