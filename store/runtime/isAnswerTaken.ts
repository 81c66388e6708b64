import { getAgentActionKey } from '../../src/protocol/getAgentActionKey.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { noCommands } from '../commandStates/createCommandStatesReducer.ts'
import type { StoreContext } from './storeContext.ts'

/** Says whether this tab's latest answer to an approval was taken, or is about to be. */
export function isAnswerTaken(
  { present }: Pick<StoreContext, 'present'>,
  { sessionId, runId, approvalId }: { sessionId: string; runId: string; approvalId: string },
): boolean {
  const { commandStates, latestCommandByAction } = getOwn(present.get().commandStates, sessionId) ?? noCommands
  const key = getOwn(latestCommandByAction, getAgentActionKey({ runId, type: 'approval.resolve', entityId: approvalId }))
  const latest = key === undefined ? undefined : getOwn(commandStates, key)
  return latest !== undefined && latest.status !== 'failed' && latest.tabId === undefined
}
