import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'

/** Whether a run's wire brings, or brought, what was before it was opened; `none` also of a run without a wire. */
export type TakeUp = 'none' | 'underWay' | 'done'

/** Tells how far a run was taken up again. */
export function selectTakeUp({ selectors }: HookRuntime, root: AgentRootState<string>, runId: string): TakeUp {
  const wire = selectors.selectRunConnection(root, runId)
  if (wire?.state === 'restoring' || wire?.state === 'reconnecting') return 'underWay'
  if (wire?.resumedAt === undefined && wire?.isFollowed !== true) return 'none'
  return wire.state === 'connecting' ? 'underWay' : 'done'
}
