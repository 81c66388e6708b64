import type { UnknownAction } from '@reduxjs/toolkit'
import { isJsonValue } from '../../src/protocol/isJsonValue.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { readBatch } from '../batch/readBatch.ts'
import type { AgentSessionCheckpoint } from '../connection/agentSessionCheckpoint.ts'
import type { AgentSlice } from '../runtime/agentSlice.ts'
import type { AgentReduxActions } from '../runtime/createAgentReduxActions.ts'
import type { TabChange, TabRun, TabStatus } from './tabMessage.ts'

/** What is told of a run besides what the state says. */
export interface TabRunSources {
  inputOf(runId: string): { value: unknown } | undefined
  startedAt(runId: string): number
}

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
      const run = describeRun(slice, runId, sources)
      return run && { kind: 'run', run: { ...run, ...(isNew && { isNew }) } }
    },
  }
}

/** A run as another tab needs it, to show it and to go on with it. */
export function describeRun(slice: AgentSlice, runId: string, sources: TabRunSources): TabRun | undefined {
  const connection = getOwn(slice.connection.runs, runId)
  if (!connection || connection.isFollowed) return undefined
  const isLatest = getOwn(slice.connection.latestRunBySession, connection.sessionId) === runId
  const input = connection.hasEnded ? undefined : sources.inputOf(runId)
  const startedAt = sources.startedAt(runId)
  // What is no JSON may not be copied at all: the run is then shown elsewhere, but cannot be taken up there.
  return { connection, isLatest, startedAt, ...(input && isJsonValue(input.value) && { input }) }
}

/** How a session stands with its storage, as the other tabs show it too; which of them owns it each knows by itself. */
export function toTabStatus({ restore, error }: AgentSessionCheckpoint): TabStatus {
  return { ...(restore && { restore }), ...(error && { error }) }
}
