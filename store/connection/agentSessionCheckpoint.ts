import type { AgentConnectionError } from './agentRunConnection.ts'

/** How a session stands with its storage, as far as there is something to say. */
export interface AgentSessionCheckpoint {
  /** `restoring` while the storage is read; `failed` where it could not be, until a run is asked for. */
  readonly restore?: 'restoring' | 'failed' | undefined
  /** Why the checkpoint could not be read, or is not written: no cause and no content. */
  readonly error?: AgentConnectionError | undefined
  /** Whether another tab owns the session, which this one follows. */
  readonly isFollowing?: boolean | undefined
}
