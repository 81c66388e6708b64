import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import { pickPiece } from './pickPiece.ts'
import type { CheckpointPiece } from './checkpointPiece.ts'

/** Takes one run, without what belongs to none. */
export function takeRun(options: {
  checkpoint: AgentCheckpoint
  places: readonly number[]
  runId: string
}): CheckpointPiece {
  const piece = pickPiece({ ...options, owns: (runId) => runId === options.runId })
  return { ...piece, state: { ...piece.state, sessions: {}, issues: [], droppedIssues: 0 }, pendingCommands: [] }
}
