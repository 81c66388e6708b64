import type { UnknownAction } from '@reduxjs/toolkit'
import { getOwn } from '../../src/state/ownRecord.ts'
import { readBatch } from '../batch/readBatch.ts'
import type { AgentSlice } from '../runtime/agentSlice.ts'
import type { AgentReduxActions } from '../runtime/createAgentReduxActions.ts'
import type { TabChange } from './tabMessage.ts'
import { toTabRun, type TabRunSources } from './toTabRun.ts'
import { toTabStatus } from './toTabStatus.ts'

/** Gives the session of a change that its other tabs are told of, and what they are told. */
export function describeChange(
  actions: AgentReduxActions,
  { action, slice }: { action: UnknownAction; slice: AgentSlice },
): { sessionId: string; describe: (sources: TabRunSources) => TabChange | undefined } | undefined {
  const { checkpointChanged, runRequested, runResumed, connectionChanged, runRestored } = actions
  const isFollowed = (runId: string) => getOwn(slice.connection.runs, runId)?.isFollowed === true
  const received = readBatch(actions, action)
  if (received) {
    const { sessionId, cursors } = received
    // What somebody else drives each tab follows for itself.
    const events = received.events.filter(({ runId }) => !isFollowed(runId))
    return { sessionId, describe: () => ({ kind: 'events', events, ...(cursors && { cursors }) }) }
  }
  if (checkpointChanged.match(action)) {
    const { sessionId, restore, error } = action.payload
    return { sessionId, describe: () => ({ kind: 'checkpoint', status: toTabStatus({ restore, error }) }) }
  }
  const isNew = runRequested.match(action)
  const isOfRun = isNew || runResumed.match(action) || connectionChanged.match(action)
  const runId = isOfRun ? action.payload.runId : runRestored.match(action) ? action.payload.connection.runId : undefined
  const connection = runId === undefined ? undefined : getOwn(slice.connection.runs, runId)
  if (runId === undefined || !connection || connection.isFollowed) return undefined
  return {
    sessionId: connection.sessionId,
    describe(sources) {
      const run = toTabRun(slice, runId, sources)
      return run && { kind: 'run', run: { ...run, ...(isNew && { isNew }) } }
    },
  }
}
