import type { AgentEvent } from '../../src/protocol/agentEvent.ts'

/** Puts the events of a run's channels in order before they are applied. */
export interface Sequencer {
  receive(event: AgentEvent): void
  /** Moves the run's cursor once everything up to a sequence is applied; a later one replaces one that waits. */
  moveCursor(cursor: string, sequence: number): void
  /** The last sequence that was applied, or -1. */
  getLast(): number
  /** Whether an event waits for one before it. */
  hasGap(): boolean
  /** Goes on after a sequence up to which the state was put in place by other means. */
  catchUp(sequence: number): void
}
