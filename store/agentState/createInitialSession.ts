import { createInitialAgentState } from '../../src/state/createInitialAgentState.ts'
import type { AgentSession } from './agentStateSlice.ts'

/** Makes a session before any event. */
export function createInitialSession(): AgentSession {
  return {
    active: createInitialAgentState(),
    settled: createInitialAgentState(),
    activePositions: [],
    settledPositions: [],
  }
}
