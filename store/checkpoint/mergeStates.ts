import { recordOfKind, type AgentState } from '../../src/state/agentState.ts'
import { pickRuns } from '../agentState/pickRuns.ts'

/**
 * Puts what was stored under what memory holds: of each run there is one of the two, and memory's runs, which began
 * later, come last.
 */
export function mergeStates(stored: AgentState, memory: AgentState, isMemorys: (runId: string) => boolean): AgentState {
  const isStored = (runId: string) => !isMemorys(runId)
  const [under, over] = [pickRuns(stored, isStored), pickRuns(memory, isMemorys)]
  const merged: Record<string, unknown> = {}
  const names = ['sessions', 'runs', 'lastSequenceByRun', 'processedEvents', ...Object.values(recordOfKind)] as const
  for (const name of names) merged[name] = { ...under[name], ...over[name] }
  return {
    ...(merged as unknown as AgentState),
    order: [
      ...stored.order.filter(({ runId }) => isStored(runId)),
      ...memory.order.filter(({ runId }) => isMemorys(runId)),
    ],
    issues: [...stored.issues, ...memory.issues],
    droppedIssues: stored.droppedIssues + memory.droppedIssues,
  }
}
