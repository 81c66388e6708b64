import type { Reducer, UnknownAction } from '@reduxjs/toolkit'
import { omitUndefined } from '../../src/state/omitUndefined.ts'
import { isRunEnd } from '../../src/state/isRunEnd.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { filterRecord } from '../agentState/filterRecord.ts'
import { readBatch } from '../batch/readBatch.ts'
import type { AgentReduxActions } from '../runtime/createAgentReduxActions.ts'
import type { AgentConnectionState, AgentRunConnection } from './agentRunConnection.ts'
import type { AgentSessionCheckpoint } from './agentSessionCheckpoint.ts'
import { connectionTable } from './connectionTable.ts'

/** The `connection` slice: a wire a run, each session's latest run, and how a session stands with its storage. */
export interface ConnectionSlice {
  readonly runs: Readonly<Record<string, AgentRunConnection>>
  readonly latestRunBySession: Readonly<Record<string, string>>
  /** Absent before there is something to say of a session. */
  readonly checkpoints?: Readonly<Record<string, AgentSessionCheckpoint>>
}

const initialState: ConnectionSlice = { runs: {}, latestRunBySession: {} }

/** Makes the `connection` reducer. */
export function createConnectionReducer(actions: AgentReduxActions): Reducer<ConnectionSlice> {
  return (state = initialState, action: UnknownAction) => {
    if (actions.runRequested.match(action)) {
      const { runId, sessionId, providerId, at } = action.payload
      const run: AgentRunConnection = {
        runId,
        sessionId,
        providerId,
        state: 'connecting',
        detached: false,
        updatedAt: at,
      }
      return withRun(withoutFailedRestore(withoutEnded(state, sessionId), sessionId), run, true)
    }
    if (actions.runFollowed.match(action)) {
      const { runId, sessionId, providerId, at } = action.payload
      const wire = { runId, sessionId, providerId, state: 'connecting', detached: false, isFollowed: true } as const
      return withRun(state, { ...wire, updatedAt: at }, isFreeForFollowed(state, sessionId))
    }
    if (actions.runReleased.match(action)) return withoutRun(state, action.payload)
    if (actions.sessionClosed.match(action)) return withoutSession(state, action.payload.sessionId)
    if (actions.connectionChanged.match(action)) {
      const { runId, at, ...change } = action.payload
      const run = getOwn(state.runs, runId)
      if (!run || (change.state && !canMove(run.state, change.state))) return state
      return withRun(state, { ...run, ...change, updatedAt: at })
    }
    if (actions.runResumed.match(action)) {
      const { runId, at } = action.payload
      const run = getOwn(state.runs, runId)
      const to = run && connectionTable[run.state].resume_requested
      if (!to) return state
      const { sessionId, providerId, cursor, isFollowed } = run
      const wire = { runId, sessionId, providerId, state: to, detached: false, cursor, isFollowed, updatedAt: at }
      return withRun(state, wire)
    }
    if (actions.runRestored.match(action)) {
      return withRun(state, action.payload.connection, action.payload.isLatest)
    }
    if (actions.checkpointChanged.match(action)) {
      const { sessionId, ...checkpoint } = action.payload
      return withCheckpoint(state, sessionId, checkpoint)
    }
    const received = readBatch(actions, action)
    if (received) {
      const { events, cursors = {} } = received
      const next = Object.entries(cursors).reduce(withCursor, state)
      return events.some(isRunEnd) ? events.filter(isRunEnd).reduce(withEnd, next) : next
    }
    if (actions.sessionRestored.match(action)) {
      const { sessionId, connections, latestRunId, checkpoint, batch } = action.payload
      const others = Object.values(state.runs).filter((run) => run.sessionId !== sessionId)
      const latest = Object.entries({ ...state.latestRunBySession, [sessionId]: latestRunId })
      const next = {
        ...state,
        runs: Object.fromEntries([...others, ...connections].map((run) => [run.runId, run])),
        latestRunBySession: Object.fromEntries(
          latest.filter((entry): entry is [string, string] => entry[1] !== undefined),
        ),
      }
      return batch === undefined ? next : withCheckpoint(next, sessionId, checkpoint ?? {})
    }
    return state
  }
}

/** What the table does not know of does not happen, whoever dispatches it. */
function canMove(from: AgentConnectionState, to: AgentConnectionState): boolean {
  return from === to || Object.values(connectionTable[from]).includes(to)
}

function withCursor(state: ConnectionSlice, [runId, cursor]: [string, string]): ConnectionSlice {
  const run = getOwn(state.runs, runId)
  return run && typeof cursor === 'string' ? withRun(state, { ...run, cursor }) : state
}

function withEnd(state: ConnectionSlice, { runId }: { runId: string }): ConnectionSlice {
  const run = getOwn(state.runs, runId)
  return run ? withRun(state, { ...run, hasEnded: true }) : state
}

/** What is followed is not taken for the session's latest run where that is one of this page's own. */
function isFreeForFollowed({ runs, latestRunBySession }: ConnectionSlice, sessionId: string): boolean {
  const latestRunId = getOwn(latestRunBySession, sessionId)
  const latest = latestRunId === undefined ? undefined : getOwn(runs, latestRunId)
  return !latest || latest.isFollowed === true || latest.hasEnded === true
}

function withoutRun(state: ConnectionSlice, { sessionId, runId }: { sessionId: string; runId: string }): ConnectionSlice {
  const { runs, latestRunBySession } = state
  const isLatest = getOwn(latestRunBySession, sessionId) === runId
  return {
    ...state,
    runs: withoutKey(runs, runId),
    latestRunBySession: isLatest ? withoutKey(latestRunBySession, sessionId) : latestRunBySession,
  }
}

const withoutKey = <Value>(record: Readonly<Record<string, Value>>, key: string) =>
  filterRecord(record, (known) => known !== key)

function withoutSession(state: ConnectionSlice, sessionId: string): ConnectionSlice {
  const { runs, latestRunBySession, ...rest } = withCheckpoint(state, sessionId, {})
  return {
    ...rest,
    runs: filterRecord(runs, (_, run) => run.sessionId !== sessionId),
    latestRunBySession: withoutKey(latestRunBySession, sessionId),
  }
}

/** An ended run's wire says nothing once another run began: without it the record stays as small as what is going on. */
function withoutEnded(state: ConnectionSlice, sessionId: string): ConnectionSlice {
  const runs = Object.values(state.runs).filter((run) => !(run.hasEnded && run.sessionId === sessionId))
  return { ...state, runs: Object.fromEntries(runs.map((run) => [run.runId, run])) }
}

/** A run that is asked for goes on without what could not be read; why it could not is still told. */
function withoutFailedRestore(state: ConnectionSlice, sessionId: string): ConnectionSlice {
  const { restore, ...rest } = getOwn(state.checkpoints ?? {}, sessionId) ?? {}
  return restore === 'failed' ? withCheckpoint(state, sessionId, rest) : state
}

function withCheckpoint(state: ConnectionSlice, sessionId: string, said: AgentSessionCheckpoint): ConnectionSlice {
  const { checkpoints = {}, ...rest } = state
  const { restore, error, isFollowing } = said
  const others = Object.entries(checkpoints).filter(([id]) => id !== sessionId)
  const isSaid = restore !== undefined || error !== undefined || isFollowing === true
  const own = isSaid ? [[sessionId, omitUndefined({ restore, error, isFollowing: isFollowing || undefined })] as const] : []
  const next = Object.fromEntries([...others, ...own])
  return Object.keys(next).length > 0 ? { ...rest, checkpoints: next } : rest
}

function withRun(state: ConnectionSlice, run: AgentRunConnection, isLatest = false): ConnectionSlice {
  const { latestRunBySession } = state
  return {
    ...state,
    // What is undefined is left out: a state and its copy from JSON are equal.
    runs: { ...state.runs, [run.runId]: omitUndefined(run) as AgentRunConnection },
    latestRunBySession: isLatest ? { ...latestRunBySession, [run.sessionId]: run.runId } : latestRunBySession,
  }
}
