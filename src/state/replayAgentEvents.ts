import type { AgentEvent } from '../protocol/agentEvent.ts'
import type { AgentState } from './agentState.ts'
import { createInitialAgentState } from './createInitialAgentState.ts'
import { reduceAgentEvents } from './reduceAgentEvents.ts'

/**
 * Rebuilds the state from a log, in one batch and by the same code as live events; nothing is executed.
 *
 * @example
 * const state = replayAgentEvents(log.filter(isAgentEvent))
 */
export function replayAgentEvents(events: readonly AgentEvent[], initialState?: AgentState): AgentState {
  return reduceAgentEvents(initialState ?? createInitialAgentState(), events)
}
