import { getOwn } from '../../src/state/ownRecord.ts'
import type { StoreRuntime } from '../runtime/createStoreRuntime.ts'
import { findRun } from '../runtime/findRun.ts'
import type { AgentFollowedRun } from './agentReadModel.ts'

/** Says where a run stands here; what is not here any more stands as it was `known`. */
export function describeRun(runtime: StoreRuntime, known: AgentFollowedRun): AgentFollowedRun {
  const { runId, sessionId } = known
  const { agentState, connection } = runtime.present.get()
  const wire = getOwn(connection.runs, runId)
  const state = findRun(agentState, runId)?.state
  return {
    runId,
    sessionId,
    status: state?.runs[runId]?.status ?? known.status,
    connection: wire?.state ?? 'idle',
    lastSequence: state?.lastSequenceByRun[runId] ?? known.lastSequence,
    ...(wire?.error && { error: wire.error }),
  }
}

/** Gives a run that this store knows. */
export function findKnownRun(runtime: StoreRuntime, runId: string): AgentFollowedRun | undefined {
  const { agentState, connection } = runtime.present.get()
  const sessionId = findRun(agentState, runId)?.sessionId ?? getOwn(connection.runs, runId)?.sessionId
  if (sessionId === undefined) return undefined
  return describeRun(runtime, { runId, sessionId, status: 'running', connection: 'idle', lastSequence: -1 })
}
