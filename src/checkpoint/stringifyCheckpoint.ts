import { isJsonValue } from '../protocol/isJsonValue.ts'
import type { AgentCheckpoint } from './agentCheckpoint.ts'
import { AgentCheckpointError } from './agentCheckpointError.ts'
import { toStoredState } from './toStoredState.ts'

/** Makes the text that is stored of a checkpoint; throws `not_serializable` where it holds what JSON does not. */
export function stringifyCheckpoint(checkpoint: AgentCheckpoint): string {
  const stored = { ...checkpoint, state: toStoredState(checkpoint.state) }
  if (!isJsonValue(stored)) throw new AgentCheckpointError('not_serializable')
  return JSON.stringify(stored)
}
