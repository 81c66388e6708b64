import { joinKey } from '../joinKey.ts'

/** Where checkpoints stand in a storage unless told otherwise. */
export const defaultKeyPrefix = 'redux-agent:checkpoint:'

/** Gives the key of a session's checkpoint, or of a part of it; no two share one, whatever the ids hold. */
export function getCheckpointKey(keyPrefix: string, sessionId: string, ...part: readonly string[]): string {
  return keyPrefix + joinKey([sessionId, ...part])
}
