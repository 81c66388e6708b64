import { recordOfKind, type AgentState } from '../../src/state/agentState.ts'
import type { AgentEntityBase } from '../../src/state/entities/agentEntityBase.ts'
import { filterRecord } from './filterRecord.ts'

/** Gives what of a state belongs to the runs that `owns` names; order, sessions and issues stay as they are. */
export function pickRuns(state: AgentState, owns: (runId: string) => boolean): AgentState {
  const part: Record<string, unknown> = { ...state }
  for (const name of Object.values(recordOfKind)) {
    part[name] = filterRecord<AgentEntityBase>(state[name], (_, entity) => owns(entity.runId))
  }
  part.runs = filterRecord(state.runs, owns)
  part.lastSequenceByRun = filterRecord(state.lastSequenceByRun, owns)
  part.processedEvents = filterRecord(state.processedEvents, owns)
  return part as unknown as AgentState
}
