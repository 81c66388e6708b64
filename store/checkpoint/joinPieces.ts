import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import { recordOfKind, type AgentState } from '../../src/state/agentState.ts'
import type { CheckpointPiece } from './checkpointPiece.ts'

/** Puts a session's checkpoint together from its own piece and those of its settled runs, oldest first. */
export function joinPieces(head: CheckpointPiece, settled: readonly CheckpointPiece[]): AgentCheckpoint {
  const pieces = [...settled, head]
  const { places: _, ...checkpoint } = head
  const placed = pieces.flatMap(({ state, places }) =>
    state.order.map((reference, index) => ({ reference, place: places[index]! })),
  )
  const state: Record<string, unknown> = { ...head.state }
  for (const name of [...Object.values(recordOfKind), 'runs', 'lastSequenceByRun', 'processedEvents'] as const) {
    state[name] = join(pieces.map((piece) => piece.state[name] as Readonly<Record<string, unknown>>))
  }
  state.order = placed.sort((left, right) => left.place - right.place).map(({ reference }) => reference)
  const connections = pieces.flatMap(({ connectionByRun }) => (connectionByRun ? [connectionByRun] : []))
  return {
    ...checkpoint,
    state: state as unknown as AgentState,
    inputByRun: join(pieces.map(({ inputByRun }) => inputByRun)),
    cursorByRun: join(pieces.map(({ cursorByRun }) => cursorByRun)),
    ...(connections.length > 0 && { connectionByRun: join(connections) }),
  }
}

function join<Value>(records: readonly Readonly<Record<string, Value>>[]): Record<string, Value> {
  return Object.fromEntries(records.flatMap((record) => Object.entries(record)))
}
