import type { AgentEvent } from 'redux-agent'
import { createFoldState, foldEvent, type FoldState } from './foldEvent.ts'

/**
 * The floor: the same events folded into the same shape of state by mutation, with no check whatever: nothing is
 * refused, deduplicated, copied or frozen.
 */
export function mutableFold(events: readonly AgentEvent[]): FoldState {
  const state = createFoldState()
  for (const event of events) foldEvent(state, event)
  return state
}
