import { recordOfKind, type AgentState } from '../../src/state/agentState.ts'
import type { AgentEntityBase } from '../../src/state/entities/agentEntityBase.ts'
import { getOwn } from '../../src/state/ownRecord.ts'

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

export function filterRecord<Value>(
  record: Readonly<Record<string, Value>>,
  keeps: (key: string, value: Value) => boolean,
): Record<string, Value> {
  const entries = Object.keys(record).map((key) => [key, getOwn(record, key) as Value] as const)
  return Object.fromEntries(entries.filter(([key, value]) => keeps(key, value)))
}
