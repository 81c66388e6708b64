import { isJsonValue } from '../../src/protocol/isJsonValue.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentSlice } from '../runtime/agentSlice.ts'
import type { TabRun } from './tabMessage.ts'

/** What is told of a run besides what the state says. */
export interface TabRunSources {
  inputOf(runId: string): { value: unknown } | undefined
  startedAt(runId: string): number
}

/** A run as another tab needs it, to show it and to go on with it. */
export function toTabRun(slice: AgentSlice, runId: string, sources: TabRunSources): TabRun | undefined {
  const connection = getOwn(slice.connection.runs, runId)
  if (!connection || connection.isFollowed) return undefined
  const isLatest = getOwn(slice.connection.latestRunBySession, connection.sessionId) === runId
  const input = connection.hasEnded ? undefined : sources.inputOf(runId)
  const startedAt = sources.startedAt(runId)
  // What is no JSON may not be copied at all: the run is then shown elsewhere, but cannot be taken up there.
  return { connection, isLatest, startedAt, ...(input && isJsonValue(input.value) && { input }) }
}
