import { useSelector } from 'react-redux'
import type { AgentApprovalState } from '../../src/state/entities/agentApprovalState.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'

/** Gives an approval, and renders again only when it changes. */
export function useApproval(
  { selectors }: HookRuntime,
  ids: { runId: string; approvalId: string },
): AgentApprovalState | undefined {
  return useSelector((root: AgentRootState<string>) => selectors.selectApproval(root, ids))
}
