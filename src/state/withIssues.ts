import type { AgentProtocolIssue, AgentState } from './agentState.ts'

/** How many refusals a state keeps; of older ones it keeps the count. */
export const maxIssues = 100

/** Gives the state with further issues, the oldest dropped and counted. */
export function withIssues(state: AgentState, issues: readonly AgentProtocolIssue[]): AgentState {
  const all = [...state.issues, ...issues]
  const dropped = Math.max(0, all.length - maxIssues)
  return { ...state, issues: all.slice(dropped), droppedIssues: state.droppedIssues + dropped }
}
