import { shallowEqual, useSelector } from 'react-redux'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'
import { selectRunOutlook } from '../run/selectRunOutlook.ts'
import type { RunOutlook } from '../view/itemStatus.ts'

/** Gives how each run of a session that has not ended stands for the eye. */
export function useRunOutlooks(agent: HookRuntime, sessionId: string): Readonly<Record<string, RunOutlook>> {
  return useSelector(
    (root: AgentRootState<string>) =>
      Object.fromEntries(
        agent.selectors.selectRunningRuns(root, sessionId).map(({ id }) => [id, selectRunOutlook(agent, root, id)]),
      ),
    shallowEqual,
  )
}
