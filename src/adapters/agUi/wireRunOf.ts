import type { AgentEventMeta } from '../../protocol/agentEvent.ts'
import { readAgUiMeta, type AgUiMeta } from './agUiMeta.ts'
import type { AgUiScope } from './agUiScope.ts'

/** What says which AG-UI run something is of; nothing where that is the run's first. */
export const ofWireRun = ({ wireRunId, runId }: AgUiScope): AgUiMeta => (wireRunId === runId ? {} : { wireRunId })

/** Whether something is of an AG-UI run before the one that is under way, so that a replay of this one tells it not. */
export function isOfEarlierRun(
  { wireRunId, runId }: AgUiScope,
  entity: { readonly meta?: AgentEventMeta | undefined },
): boolean {
  return (readAgUiMeta(entity).wireRunId ?? runId) !== wireRunId
}
