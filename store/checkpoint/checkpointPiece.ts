import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import {
  parseAgentCheckpoint,
  type AgentCheckpointFault,
} from '../../src/checkpoint/parseAgentCheckpoint.ts'
import { filterRecord, pickRuns } from '../agentState/pickRuns.ts'

/**
 * What one key holds: a checkpoint of some of the session's runs alone. The session's own key has the runs that are
 * not over, and what belongs to no run; each settled run has a key of its own.
 */
export interface CheckpointPiece extends AgentCheckpoint {
  /** Place in the session's order of each reference of `state.order`. */
  readonly places: readonly number[]
}

/** Takes the runs that `owns` names out of a checkpoint; `places` are those of its whole order. */
export function takePiece(options: {
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

/** Takes one run, without what belongs to none. */
export function takeRun(options: {
  checkpoint: AgentCheckpoint
  places: readonly number[]
  runId: string
}): CheckpointPiece {
  const piece = takePiece({ ...options, owns: (runId) => runId === options.runId })
  return { ...piece, state: { ...piece.state, sessions: {}, issues: [], droppedIssues: 0 }, pendingCommands: [] }
}

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
