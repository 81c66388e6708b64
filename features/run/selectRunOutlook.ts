import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'
import type { RunOutlook } from '../view/itemStatus.ts'

/** How a run stands for the eye; one that is not known is over. */
export function selectRunOutlook(
  { selectors }: Pick<HookRuntime, 'selectors'>,
  root: AgentRootState<string>,
  runId: string,
): RunOutlook {
  if (selectors.selectRun(root, { runId })?.status !== 'running') return 'ended'
  const { detached, state, attempt, isOffline } = selectors.selectRunConnection(root, runId) ?? {}
  if (detached) return 'detached'
  // The first attempt, as after a reload, is no loss yet.
  const isCut = attempt !== undefined || isOffline === true
  return isCut || state === 'failed' || state === 'unrecoverable' ? 'lost' : 'running'
}
