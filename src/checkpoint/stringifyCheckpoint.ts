import type { AgentCheckpoint } from './agentCheckpoint.ts'
import { AgentCheckpointError } from './agentCheckpointError.ts'
import { isStorable } from './isStorable.ts'
import { toStoredState } from './toStoredState.ts'

/** Makes the text that is stored of a checkpoint; throws `not_serializable` where it holds what JSON does not. */
export function stringifyCheckpoint(checkpoint: AgentCheckpoint): string {
  const stored = { ...checkpoint, state: toStoredState(checkpoint.state) }
  if (!isStorable(stored)) throw new AgentCheckpointError('not_serializable')
  return JSON.stringify(stored)
}
