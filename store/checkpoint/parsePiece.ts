import { parseAgentCheckpoint, type AgentCheckpointFault } from '../../src/checkpoint/parseAgentCheckpoint.ts'
import type { CheckpointPiece } from './checkpointPiece.ts'

const isPlace = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0

/** Checks what a key held. */
export function parsePiece(
  value: unknown,
  options: { sessionId: string },
): { piece: CheckpointPiece; fault?: undefined } | { piece?: undefined; fault: AgentCheckpointFault } {
  const { checkpoint, fault } = parseAgentCheckpoint(value, options)
  if (fault) return { fault }
  const { order } = checkpoint.state
  // What a storage of whole checkpoints wrote has none: its order is all that there is.
  const { places = order.map((_, index) => index) } = checkpoint as Partial<CheckpointPiece>
  return Array.isArray(places) && places.length === order.length && places.every(isPlace)
    ? { piece: { ...checkpoint, places } }
    : { fault: { code: 'invalid', message: 'The checkpoint is invalid: its order has no places.' } }
}
