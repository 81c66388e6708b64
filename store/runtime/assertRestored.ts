import { getOwn } from '../../src/state/ownRecord.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import type { AgentSlice } from './agentSlice.ts'
import { findRun } from './findRun.ts'

/**
 * Lets nothing be asked of what is being read from storage: neither of the session nor, where that is not known yet, of
 * a run that may come from it (RFC, section 12.4).
 *
 * @throws AgentRuntimeError (`restoring`)
 */
export function assertRestored(slice: AgentSlice, about: { runId: string; sessionId?: string | undefined }): void {
  if (!isRestoring(slice, about)) return
  const message = 'The conversation is being restored. Wait until it is there, then try again.'
  throw new AgentRuntimeError('restoring', message)
}

function isRestoring(
  { agentState, connection }: AgentSlice,
  { runId, sessionId }: { runId: string; sessionId?: string | undefined },
): boolean {
  const { runs, latestRunBySession, checkpoints = {} } = connection
  const home = sessionId ?? getOwn(runs, runId)?.sessionId ?? findRun(agentState, runId)?.sessionId
  const read = home === undefined ? Object.values(checkpoints) : [getOwn(checkpoints, home)]
  if (read.some((session) => session?.restore === 'restoring')) return true
  const latest = sessionId === undefined ? undefined : getOwn(latestRunBySession, sessionId)
  return [runId, latest].some((id) => id !== undefined && getOwn(runs, id)?.state === 'restoring')
}
