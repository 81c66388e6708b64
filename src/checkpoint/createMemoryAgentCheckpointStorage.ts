import type { AgentCheckpointStorage } from './agentCheckpointStorage.ts'
import { createWebStorageAgentCheckpointStorage } from './createWebStorageAgentCheckpointStorage.ts'

/**
 * Keeps checkpoints in memory, as text, as all storages do (RFC, section 12.2): for tests, and to carry a session from
 * one store to the next. Rejects with an `AgentCheckpointError`, `not_serializable`.
 *
 * @example
 * const agent = createAgentRuntime({ checkpointStorage: createMemoryAgentCheckpointStorage() })
 */
export function createMemoryAgentCheckpointStorage(): AgentCheckpointStorage {
  const texts = new Map<string, string>()
  return createWebStorageAgentCheckpointStorage({
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  })
}
