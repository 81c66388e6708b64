import { getOwn } from '../../src/state/ownRecord.ts'
import type { StoreRuntime } from '../runtime/createStoreRuntime.ts'
import { findRun } from '../runtime/findRun.ts'
import type { AgentFollowedRun } from './agentReadModel.ts'
import { describeRun } from './describeRun.ts'

/** Gives a run that this store knows. */
export function findKnownRun(runtime: StoreRuntime, runId: string): AgentFollowedRun | undefined {
  const { agentState, connection } = runtime.present.get()
  const sessionId = findRun(agentState, runId)?.sessionId ?? getOwn(connection.runs, runId)?.sessionId
  if (sessionId === undefined) return undefined
  return describeRun(runtime, { runId, sessionId, status: 'running', connection: 'idle', lastSequence: -1 })
}
