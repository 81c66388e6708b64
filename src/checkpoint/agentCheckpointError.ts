import { AgentModuleError } from '../agentModuleError.ts'

/** Why a checkpoint could not be read or written. */
export type AgentCheckpointErrorCode =
  | 'load_failed'
  | 'save_failed'
  | 'invalid_checkpoint'
  | 'unsupported_version'
  | 'foreign_session'
  | 'unavailable'
  | 'quota_exceeded'
  | 'not_serializable'

const messages: Readonly<Record<AgentCheckpointErrorCode, string>> = {
  load_failed:
    'The stored checkpoint could not be read, as the storage failed. Nothing is written over it: load it again, or ' +
    'remove it to start clean.',
  save_failed: 'The checkpoint could not be written, as the storage failed. The next save tries again.',
  invalid_checkpoint:
    'The stored checkpoint is damaged and is not applied: start from an empty session.',
  unsupported_version:
    'The stored checkpoint is of a version that this one cannot read: update the app, or start from an empty session.',
  foreign_session:
    'The stored checkpoint belongs to another session and is not applied: start from an empty session.',
  unavailable:
    'There is no storage here, or it is blocked. The session lives in memory: allow storage for this site, or give ' +
    'another one.',
  quota_exceeded: 'The storage is full. Free some of it, as with forget(sessionId); the next save tries again.',
  not_serializable:
    'The checkpoint holds what JSON cannot express, such as a function, a date or a class instance. Give runs and ' +
    'commands plain data.',
}

/** An error of a checkpoint storage (RFC, section 12.5); it holds nothing of what was stored. */
export class AgentCheckpointError extends AgentModuleError<AgentCheckpointErrorCode> {
  constructor(code: AgentCheckpointErrorCode, options: { message?: string; cause?: unknown } = {}) {
    const { message = messages[code], cause } = options
    super({ name: 'AgentCheckpointError', code, message, cause })
  }
}
