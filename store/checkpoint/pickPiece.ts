import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import { filterRecord } from '../agentState/filterRecord.ts'
import { pickRuns } from '../agentState/pickRuns.ts'
import type { CheckpointPiece } from './checkpointPiece.ts'

/** Takes the runs that `owns` names out of a checkpoint; `places` are those of its whole order. */
export function pickPiece(options: {
  checkpoint: AgentCheckpoint
  places: readonly number[]
  owns: (runId: string) => boolean
}): CheckpointPiece {
  const { checkpoint, places, owns } = options
  const { state, inputByRun, cursorByRun, connectionByRun } = checkpoint
  return {
    ...checkpoint,
    state: { ...pickRuns(state, owns), order: state.order.filter(({ runId }) => owns(runId)) },
    inputByRun: filterRecord(inputByRun, owns),
    cursorByRun: filterRecord(cursorByRun, owns),
    ...(connectionByRun && { connectionByRun: filterRecord(connectionByRun, owns) }),
    places: places.filter((_, index) => owns(state.order[index]!.runId)),
  }
}
