import { useSelector } from 'react-redux'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'
import type { RunOutlook } from '../view/itemStatus.ts'

/** How a run stands for the eye; one that is not known is over. */
export function useRunOutlook({ selectors }: HookRuntime, runId: string): RunOutlook {
  return useSelector((root: AgentRootState<string>) => {
    if (selectors.selectRun(root, { runId })?.status !== 'running') return 'ended'
    return selectors.selectRunConnection(root, runId)?.detached ? 'detached' : 'running'
  })
}
