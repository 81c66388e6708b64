import type { AgentCheckpoint, AgentCheckpointStorage } from 'redux-agent'

/** Saves a checkpoint without waiting for a throttle, and waits until its settled runs have moved to their keys. */
export async function saveNow(storage: AgentCheckpointStorage, checkpoint: AgentCheckpoint): Promise<void> {
  await Promise.all([storage.save(checkpoint), storage.flush?.(checkpoint.sessionId)])
  await storage.flush?.(checkpoint.sessionId)
}
