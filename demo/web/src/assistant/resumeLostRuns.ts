import type { AppStore } from '../app/store.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { agent } from './agent.ts'

const { selectRunConnection, selectRunningRuns } = agent.selectors

/** Takes up again what was given up as lost: the person, or the network, has come back. */
export function resumeLostRuns({ dispatch, getState }: Pick<AppStore, 'dispatch' | 'getState'>): void {
  const sessionId = workspaceSlice.selectors.selectConversationId(getState())
  for (const { id: runId } of selectRunningRuns(getState(), sessionId)) {
    const { state, canResume, detached } = selectRunConnection(getState(), runId) ?? {}
    if (state === 'failed' && canResume && !detached) void dispatch(agent.actions.resumeRun({ runId }))
  }
}
