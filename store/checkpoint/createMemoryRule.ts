import type { AgentState } from '../../src/state/agentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'

/**
 * Says of which runs memory knows as much as the storage, or more: a checkpoint is put in place beside them, never over
 * them. A wire that is not read may be one that another tab read on, so that its events decide.
 */
export function createMemoryRule(options: {
  memory: AgentState
  stored: AgentState
  hasWire: (runId: string) => boolean
  isReading: (runId: string) => boolean
}): (runId: string) => boolean {
  const { memory, stored, hasWire, isReading } = options
  return (runId) => {
    const known = getOwn(memory.lastSequenceByRun, runId)
    const theirs = getOwn(stored.lastSequenceByRun, runId) ?? -1
    if (hasWire(runId)) return isReading(runId) || (known ?? -1) >= theirs
    return known !== undefined && known >= theirs
  }
}
