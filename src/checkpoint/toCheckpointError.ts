import { AgentCheckpointError, type AgentCheckpointErrorCode } from './agentCheckpointError.ts'

/** Names what a storage threw: full, blocked, or else what was being done. */
export function toCheckpointError(
  error: unknown,
  otherwise: Extract<AgentCheckpointErrorCode, 'load_failed' | 'save_failed'>,
): AgentCheckpointError {
  return error instanceof AgentCheckpointError
    ? error
    : new AgentCheckpointError(getStorageErrorCode(error) ?? otherwise, { cause: error })
}

function getStorageErrorCode(error: unknown): 'quota_exceeded' | 'unavailable' | undefined {
  const name = typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined
  // Old Firefox has a name of its own for a full storage.
  if (name === 'QuotaExceededError' || name === 'NS_ERROR_DOM_QUOTA_REACHED') return 'quota_exceeded'
  return name === 'SecurityError' ? 'unavailable' : undefined
}
