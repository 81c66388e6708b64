import type { AgentCheckpoint } from './agentCheckpoint.ts'

/**
 * Keeps checkpoints, one a session (RFC, section 12.2). All methods reject with an `AgentCheckpointError`; none throws.
 * A session whose load failed takes no save before a load succeeds or it is removed, so that nothing is written over
 * what could not be read.
 *
 * @example
 * const storage: AgentCheckpointStorage = createWebStorageAgentCheckpointStorage(localStorage)
 */
export interface AgentCheckpointStorage {
  /**
   * Gives a session's checkpoint, validated; nothing where there is none. What fails validation is moved under a
   * quarantine key before the promise rejects (`invalid_checkpoint`, `unsupported_version`, `foreign_session`), so that
   * the next load finds nothing.
   */
  load(sessionId: string): Promise<AgentCheckpoint | undefined>
  /** Resolves once this checkpoint or a later one is written; a failed one is made up for by the next. */
  save(checkpoint: AgentCheckpoint): Promise<void>
  /** Deletes a session's checkpoint, so that it starts clean; what was put in quarantine stays. */
  remove(sessionId: string): Promise<void>
  /**
   * Writes at once what `save` took and has not written; a synchronous engine holds it before this returns. A storage
   * without it writes in `save` itself.
   */
  flush?(sessionId: string): Promise<void>
  /**
   * Deletes all that is stored of a session, quarantine included. Where a runtime has the session open, ask that for it
   * (`removeSession`), as it would go on saving.
   */
  forget?(sessionId: string): Promise<void>
}
