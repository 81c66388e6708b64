import { useSelector } from 'react-redux'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'
import type { RunOutlook } from '../view/itemStatus.ts'
import { selectRunOutlook } from './selectRunOutlook.ts'

/** Gives how a run stands for the eye. */
export function useRunOutlook(agent: HookRuntime, runId: string): RunOutlook {
  return useSelector((root: AgentRootState<string>) => selectRunOutlook(agent, root, runId))
}
