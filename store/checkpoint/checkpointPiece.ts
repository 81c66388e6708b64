import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'

/**
 * What one key holds: a checkpoint of some of the session's runs alone. The session's own key has the runs that are
 * not over, and what belongs to no run; each settled run has a key of its own.
 */
export interface CheckpointPiece extends AgentCheckpoint {
  /** Place in the session's order of each reference of `state.order`. */
  readonly places: readonly number[]
}
