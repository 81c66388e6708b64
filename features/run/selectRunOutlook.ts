import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import { isWireCut } from '../connection/isWireCut.ts'
import type { HookRuntime } from '../hookRuntime.ts'
import type { RunOutlook } from '../view/itemStatus.ts'

/** How a run stands for the eye; one that is not known is over. */
export function selectRunOutlook(
  { selectors }: Pick<HookRuntime, 'selectors'>,
  root: AgentRootState<string>,
  runId: string,
): RunOutlook {
  if (selectors.selectRun(root, { runId })?.status !== 'running') return 'ended'
  const wire = selectors.selectRunConnection(root, runId)
  if (wire?.detached) return 'detached'
  return isWireCut(wire) || wire?.state === 'failed' || wire?.state === 'unrecoverable' ? 'lost' : 'running'
}
