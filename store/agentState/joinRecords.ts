import { recordOfKind, type AgentState } from '../../src/state/agentState.ts'

/** The records that hold what belongs to runs, also once these have ended. */
const names = [...Object.values(recordOfKind), 'runs', 'lastSequenceByRun'] as const

/** Joins what two states hold of runs, each of which is in one of them. */
export function joinRecords(under: AgentState, over: AgentState): Pick<AgentState, (typeof names)[number]> {
  const joined: Record<string, unknown> = {}
  for (const name of names) joined[name] = { ...under[name], ...over[name] }
  return joined as unknown as Pick<AgentState, (typeof names)[number]>
}
