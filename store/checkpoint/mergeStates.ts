import { getAgentEntityKey } from '../../src/protocol/getAgentEntityKey.ts'
import {
  recordOfKind,
  type AgentEntityReference,
  type AgentProtocolIssue,
  type AgentState,
} from '../../src/state/agentState.ts'
import { withIssues } from '../../src/state/withIssues.ts'
import { pickRuns } from '../agentState/pickRuns.ts'

/** Puts what was stored under what memory holds: of each run there is one of the two. */
export function mergeStates(stored: AgentState, memory: AgentState, isMemorys: (runId: string) => boolean): AgentState {
  const isStored = (runId: string) => !isMemorys(runId)
  const [under, over] = [pickRuns(stored, isStored), pickRuns(memory, isMemorys)]
  const merged: Record<string, unknown> = {}
  const names = ['sessions', 'runs', 'lastSequenceByRun', 'processedEvents', ...Object.values(recordOfKind)] as const
  for (const name of names) merged[name] = { ...under[name], ...over[name] }
  const state = merged as unknown as AgentState
  const order = placeOnce(state, [...stored.order, ...memory.order])
  // Where both are of one page's life, a refusal that both know is one.
  const known = new Set(stored.issues.map(nameOf))
  const { issues } = stored
  const droppedIssues = Math.max(stored.droppedIssues, memory.droppedIssues)
  const others = memory.issues.filter((issue) => !known.has(nameOf(issue)))
  return withIssues({ ...state, order, issues, droppedIssues }, others)
}

/** What was stored keeps its places, then comes what only memory has: each entity once, and none that is gone. */
function placeOnce(state: AgentState, order: readonly AgentEntityReference[]): AgentEntityReference[] {
  const placed = new Set<string>()
  return order.filter(({ kind, runId, id }) => {
    const key = getAgentEntityKey(runId, id)
    const place = `${kind}:${key}`
    if (placed.has(place) || !Object.hasOwn(state[recordOfKind[kind]], key)) return false
    placed.add(place)
    return true
  })
}

const nameOf = ({ code, runId, eventId }: AgentProtocolIssue) => JSON.stringify([code, runId, eventId])
