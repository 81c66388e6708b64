import type { UnknownAction } from '@reduxjs/toolkit'
import { isRunEnd } from '../../src/state/isRunEnd.ts'
import { readBatch } from '../batch/readBatch.ts'
import type { StoreContext } from '../runtime/storeContext.ts'

/** Says whether a change is saved at once: run ends, approvals, commands, and what becomes of a wire (RFC, 12.1). */
export function isUrgentChange(actions: StoreContext['actions'], action: UnknownAction): boolean {
  const received = readBatch(actions, action)
  if (received) {
    return received.events.some((event) => isRunEnd(event) || event.type.startsWith('approval.'))
  }
  if (actions.connectionChanged.match(action)) return true
  const { commandSubmitted, commandSucceeded, commandFailed, commandReported } = actions
  return [commandSubmitted, commandSucceeded, commandFailed, commandReported].some(({ match }) => match(action))
}
