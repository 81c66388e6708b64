import type { AgentCheckpointStorage } from '../../src/checkpoint/agentCheckpointStorage.ts'
import type { AgentReconnectOptions } from '../connection/agentReconnectOptions.ts'
import type { Deferred } from '../runtime/deferred.ts'
import type { SessionTab } from '../tabs/createSessionTab.ts'
import type { CheckpointWriter } from './createCheckpointWriter.ts'
import type { StartTimes } from './createStartTimes.ts'
import type { LoadedCheckpoint } from './loadCheckpoint.ts'

/** A session that is kept in a storage. */
export interface OpenSession {
  readonly sessionId: string
  readonly storage: AgentCheckpointStorage
  readonly writer: CheckpointWriter
  /**
   * `blocked` while there may be something that could not be read: nothing is written over it. `following` while another
   * tab owns the session, and `closing` while what this one has is written for the last time.
   */
  phase: 'restoring' | 'blocked' | 'ready' | 'closing' | 'following'
  /** The session's part in the browser's tabs, where it is shared. */
  tab: SessionTab | undefined
  opening: Promise<void>
  /** What the storage has not answered yet, also after the wait for it was over. */
  loading: Promise<LoadedCheckpoint> | undefined
  /** Resolves when requests may go. */
  released: Deferred<void>
  readonly startTimes: StartTimes
  /** When it was opened, and removed as far as is known, in milliseconds. */
  readonly openedAt: number
  removedAt: number | undefined
  /** Whether the storage had it when it was last read or written. */
  isStored: boolean
  providerId: string
  reconnect: false | AgentReconnectOptions | undefined
}
