import { isRecord } from '../../protocol/predicates.ts'
import type { AgentState } from '../../state/agentState.ts'
import { getOwn } from '../../state/ownRecord.ts'

/**
 * Lists the runs in whose place others have come, in the order of the state: a run that makes an answer anew takes the
 * place of that answer's run and of all that came after it, as does the one that is about to.
 */
export function listReplacedRuns(state: AgentState, replaced?: string): ReadonlySet<string> {
  const runIds = [...new Set(state.order.map(({ runId }) => runId))]
  const left = new Set<string>()
  function drop(from: unknown, end: number): void {
    const first = runIds.indexOf(from as string)
    if (first !== -1) for (const runId of runIds.slice(first, end)) left.add(runId)
  }
  runIds.forEach((runId, index) => {
    const input = getOwn(state.runs, runId)?.input
    if (isRecord(input)) drop(input.regenerates, index)
  })
  drop(replaced, runIds.length)
  return left
}
