import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import { takePiece } from './takePiece.ts'
import type { CheckpointPiece } from './checkpointPiece.ts'

/** Takes one run, without what belongs to none. */
export function takeRun(options: {
  checkpoint: AgentCheckpoint
  places: readonly number[]
  runId: string
}): CheckpointPiece {
  const piece = takePiece({ ...options, owns: (runId) => runId === options.runId })
  return { ...piece, state: { ...piece.state, sessions: {}, issues: [], droppedIssues: 0 }, pendingCommands: [] }
}
