import type { AgentEvent } from '../protocol/agentEvent.ts'
import type { AgentState } from './agentState.ts'
import { reduceAgentEvents } from './reduceAgentEvents.ts'

/**
 * Folds one event into a state (RFC, section 2).
 *
 * @example
 * const state = events.reduce(reduceAgentState, createInitialAgentState())
 */
export function reduceAgentState(state: AgentState, event: AgentEvent): AgentState {
  return reduceAgentEvents(state, [event])
}
