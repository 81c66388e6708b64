import type { AgentState } from '../../src/state/agentState.ts'

/**
 * A session's facts in two parts (design, section 4): live events write into the small one, the runs that are
 * running; a run that ends moves over to `settled`, once.
 */
export interface AgentSession {
  readonly active: AgentState
  readonly settled: AgentState
  /** Place in the session's order of each reference of `active.order` and `settled.order`. */
  readonly activePositions: readonly number[]
  readonly settledPositions: readonly number[]
}

/** The `agentState` slice. */
export interface AgentStateSlice {
  readonly sessions: Readonly<Record<string, AgentSession>>
  /** The number of the runtime's last change, or -1 once one is missing (design, section 7). */
  readonly batch: number
}

/** What a slice says that lacks a change: a lock, an import or a toggle took it away. */
export const brokenBatch = -1
