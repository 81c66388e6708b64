import type { AgentCheckpointError } from '../../src/checkpoint/agentCheckpointError.ts'

/** Says whether an error of `readSession` left a clean place behind. */
export function isQuarantined({ code, cause }: AgentCheckpointError): boolean {
  const isFault = code === 'invalid_checkpoint' || code === 'unsupported_version' || code === 'foreign_session'
  return isFault && cause === undefined
}
