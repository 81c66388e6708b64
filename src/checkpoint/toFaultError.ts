import { AgentCheckpointError } from './agentCheckpointError.ts'
import type { AgentCheckpointFault } from './parseAgentCheckpoint.ts'

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
