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
