import type { AgentEvent } from '../protocol/agentEvent.ts'
import type { AgentState } from './agentState.ts'
import { createBatchWriter } from './createBatchWriter.ts'

/**
 * Folds a batch of events into a state; the same events one by one end in the same state. Pure and total: a refused
 * event becomes an issue, and where nothing changed the state itself comes back (design, section 5).
 *
 * @example
 * state = reduceAgentEvents(state, events)
 */
export function reduceAgentEvents(state: AgentState, events: readonly AgentEvent[]): AgentState {
  const writer = createBatchWriter(state)
  for (const event of events) writer.apply(event)
  return writer.commit()
}
