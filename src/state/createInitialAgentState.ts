import type { AgentState } from './agentState.ts'

/**
 * Makes the state before any event.
 *
 * @example
 * const state = events.reduce(reduceAgentState, createInitialAgentState())
 */
export function createInitialAgentState(): AgentState {
  return {
    sessions: {},
    runs: {},
    messages: {},
    reasoning: {},
    toolCalls: {},
    approvals: {},
    tasks: {},
    artifacts: {},
    order: [],
    issues: [],
    droppedIssues: 0,
    lastSequenceByRun: {},
    processedEvents: {},
  }
}
