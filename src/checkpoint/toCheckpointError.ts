import type { AgentCheckpointFault } from './parseAgentCheckpoint.ts'
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

/**
 * Makes the error of a stored blob that is not the checkpoint it should be; `obstacle` is what kept it from being put
 * in quarantine.
 */
export function toFaultError({ code, message }: AgentCheckpointFault, obstacle?: unknown): AgentCheckpointError {
  const advice = obstacle
    ? 'It could not be put in quarantine either; nothing is written over it: remove it to start clean.'
    : 'It was put in quarantine: start from an empty session.'
  const errorCode = code === 'invalid' ? 'invalid_checkpoint' : code
  return new AgentCheckpointError(errorCode, { message: `${message} ${advice}`, cause: obstacle })
}

function getStorageErrorCode(error: unknown): 'quota_exceeded' | 'unavailable' | undefined {
  const name = typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined
  // Old Firefox has a name of its own for a full storage.
  if (name === 'QuotaExceededError' || name === 'NS_ERROR_DOM_QUOTA_REACHED') return 'quota_exceeded'
  return name === 'SecurityError' ? 'unavailable' : undefined
}
