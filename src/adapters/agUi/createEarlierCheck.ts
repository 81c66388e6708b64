import { getAgentEntityKey } from '../../protocol/getAgentEntityKey.ts'
import type { AgentEntityKind, AgentState } from '../../state/agentState.ts'
import type { AgentEntityBase } from '../../state/entities/agentEntityBase.ts'
import { readAgUiMeta } from './agUiMeta.ts'

/**
 * Tells what is of an AG-UI run before the one that is under way, so that a replay of this one tells it not. Some
 * runtimes give all of them one id: what stands before a question is of an earlier one.
 */
export function createEarlierCheck({
  state,
  runId,
  wireRunId,
}: {
  state: AgentState | undefined
  runId: string
  wireRunId: string
}): (kind: AgentEntityKind, entity: AgentEntityBase) => boolean {
  const order = (state?.order ?? []).filter((entry) => entry.runId === runId)
  const question = order.findLastIndex(({ kind }) => kind === 'approval')
  const before = new Set(order.slice(0, question + 1).map(({ kind, id }) => keyOf(kind, id)))
  return (kind, { id, meta }) => (readAgUiMeta({ meta }).wireRunId ?? runId) !== wireRunId || before.has(keyOf(kind, id))
}

const keyOf = (kind: AgentEntityKind, id: string) => getAgentEntityKey(kind, id)
