import type { UnknownAction } from '@reduxjs/toolkit'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { Present } from '../agentState/createPresent.ts'
import type { AgentReduxActions } from '../runtime/createAgentReduxActions.ts'
import type { SessionTab } from './createSessionTab.ts'
import { describeChange } from './describeChange.ts'
import type { TabRunSources } from './toTabRun.ts'

/** Makes what tells the other tabs of this tab's changes; they are the present's, whatever past the store may show. */
export function createTabTeller(options: {
  actions: AgentReduxActions
  present: Present
  /** A session's part in the tabs, and what is told of its runs; nothing where it is not shared. */
  find: (sessionId: string) => { tab: SessionTab; sources: TabRunSources } | undefined
}): (action: UnknownAction) => void {
  const { actions, present, find } = options
  const { commandSubmitted, commandSucceeded, commandFailed } = actions
  return (action) => {
    if (commandSubmitted.match(action) || commandSucceeded.match(action) || commandFailed.match(action)) {
      const { sessionId, commandId } = action.payload.command
      const state = getOwn(getOwn(present.get().commandStates, sessionId)?.commandStates ?? {}, commandId)
      return state && find(sessionId)?.tab.say({ kind: 'command', state })
    }
    const told = describeChange(actions, { action, slice: present.get() })
    const shared = told && find(told.sessionId)
    if (!shared || !shared.tab.isTold()) return
    const change = told.describe(shared.sources)
    if (change) shared.tab.tell(change)
  }
}
