import { useSelector } from 'react-redux'
import type { AgentRunState } from '../../src/state/entities/agentRunState.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'

/** Gives a run, and renders again only when the run itself changes. */
export function useAgentRun({ selectors }: HookRuntime, ids: { runId: string }): AgentRunState | undefined {
  return useSelector((root: AgentRootState<string>) => selectors.selectRun(root, ids))
}
