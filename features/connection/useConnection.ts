import { shallowEqual, useSelector } from 'react-redux'
import type { AgentRunConnection } from '../../store/connection/agentRunConnection.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'

/** A run's wire as it is shown: all but the cursor, which moves with every batch. */
export type AgentConnectionView = Omit<AgentRunConnection, 'cursor' | 'updatedAt'>

/** Gives the wire of a run, or of a session's latest run: attempts, what went wrong, whether it can be taken up again. */
export function useConnection(
  { selectors }: HookRuntime,
  of: { sessionId: string } | { runId: string },
): AgentConnectionView | undefined {
  return useSelector((root: AgentRootState<string>) => {
    const run =
      'runId' in of
        ? selectors.selectRunConnection(root, of.runId)
        : selectors.selectLatestRunConnection(root, of.sessionId)
    if (!run) return undefined
    const { cursor: _, updatedAt: __, ...view } = run
    return view
  }, shallowEqual)
}
