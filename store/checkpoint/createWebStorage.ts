import { AgentCheckpointError } from '../../src/checkpoint/agentCheckpointError.ts'
import type { AgentPersistEngine } from './agentPersistEngine.ts'

type WebStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * Makes a storage engine of a Web Storage that is asked for at first use and probed once, so that a module which runs
 * on a server may hold it. Each call throws an `AgentCheckpointError`, `unavailable`, where there is none or it is
 * blocked; a full one is neither.
 *
 * @example
 * createPersistCheckpointStorage({ storage: createWebStorage(() => localStorage) })
 */
export function createWebStorage(getStorage: () => WebStorage | null | undefined): AgentPersistEngine {
  let found: WebStorage | undefined
  let obstacle: AgentCheckpointError | undefined

  function resolve(): WebStorage {
    if (found) return found
    if (obstacle) throw obstacle
    try {
      const storage = getStorage()
      // Reading is what a blocked storage refuses; a probe that writes would call a full one blocked.
      storage?.getItem('redux-agent:probe')
      if (storage) return (found = storage)
    } catch (cause) {
      throw (obstacle = new AgentCheckpointError('unavailable', { cause }))
    }
    throw (obstacle = new AgentCheckpointError('unavailable'))
  }

  return {
    getItem: (key) => resolve().getItem(key),
    setItem: (key, value) => resolve().setItem(key, value),
    removeItem: (key) => resolve().removeItem(key),
  }
}
