import type { AgentCheckpoint } from './agentCheckpoint.ts'
import { AgentCheckpointError } from './agentCheckpointError.ts'
import type { AgentCheckpointStorage } from './agentCheckpointStorage.ts'
import { defaultKeyPrefix, getCheckpointKey } from './getCheckpointKey.ts'
import { parseAgentCheckpoint } from './parseAgentCheckpoint.ts'
import { parseJson } from '../parseJson.ts'
import { stringifyCheckpoint } from './stringifyCheckpoint.ts'
import { toCheckpointError } from './toCheckpointError.ts'
import { toFaultError } from './toFaultError.ts'

/** How checkpoints are kept in a Web Storage. */
export interface WebStorageAgentCheckpointStorageOptions {
  /** What the keys begin with; `redux-agent:checkpoint:` by default. One a user keeps users apart. */
  keyPrefix?: string
}

/**
 * Keeps checkpoints in a Web Storage, one key a session, written whole at each save (RFC, section 12.2). It neither
 * encrypts nor expires: delete at logout with `forget`. Rejects with an `AgentCheckpointError`: `unavailable` where the
 * storage is blocked, `quota_exceeded` where it is full, `not_serializable`; see `load` for what is damaged.
 *
 * @example
 * const checkpointStorage = createWebStorageAgentCheckpointStorage(sessionStorage, { keyPrefix: `agent:${userId}:` })
 */
export function createWebStorageAgentCheckpointStorage(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  options: WebStorageAgentCheckpointStorageOptions = {},
): AgentCheckpointStorage {
  const { keyPrefix = defaultKeyPrefix } = options
  const keyOf = (sessionId: string) => getCheckpointKey(keyPrefix, sessionId)
  const quarantineOf = (sessionId: string) => getCheckpointKey(keyPrefix, sessionId, 'quarantine')
  /** Why nothing may be written over what a session has. */
  const unread = new Map<string, AgentCheckpointError>()

  function read(sessionId: string): AgentCheckpoint | undefined {
    const text: unknown = storage.getItem(keyOf(sessionId))
    if (text === null || text === undefined) return undefined
    // Such as a promise: what cannot be read here is not put in quarantine, and so deleted.
    if (typeof text !== 'string') {
      throw new TypeError('getItem gave no text: give an asynchronous storage to createPersistCheckpointStorage instead.')
    }
    const { checkpoint, fault } = parseAgentCheckpoint(parseJson(text), { sessionId })
    if (checkpoint) return checkpoint
    try {
      storage.setItem(quarantineOf(sessionId), text)
      storage.removeItem(keyOf(sessionId))
    } catch (obstacle) {
      const error = toFaultError(fault, obstacle)
      unread.set(sessionId, error)
      throw error
    }
    throw toFaultError(fault)
  }

  return {
    async load(sessionId) {
      unread.delete(sessionId)
      try {
        return read(sessionId)
      } catch (cause) {
        if (cause instanceof AgentCheckpointError) throw cause
        const error = toCheckpointError(cause, 'load_failed')
        unread.set(sessionId, error)
        throw error
      }
    },
    async save(checkpoint) {
      const obstacle = unread.get(checkpoint.sessionId)
      if (obstacle) throw obstacle
      try {
        storage.setItem(keyOf(checkpoint.sessionId), stringifyCheckpoint(checkpoint))
      } catch (cause) {
        throw toCheckpointError(cause, 'save_failed')
      }
    },
    async remove(sessionId) {
      removeAll(sessionId, [keyOf(sessionId)])
    },
    async forget(sessionId) {
      removeAll(sessionId, [keyOf(sessionId), quarantineOf(sessionId)])
    },
  }

  function removeAll(sessionId: string, keys: readonly string[]): void {
    try {
      for (const key of keys) storage.removeItem(key)
    } catch (cause) {
      throw toCheckpointError(cause, 'save_failed')
    }
    unread.delete(sessionId)
  }
}
