import type { AgentCommandOptions } from '../../src/provider/agentProvider.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { isWireWanted } from '../connection/isWireWanted.ts'
import type { LiveRun } from './liveRun.ts'
import type { StoreContext } from './storeContext.ts'

/** Says how a run's main stream stands, for a command of it. */
export function getWireState(
  { present, tabs }: Pick<StoreContext, 'present' | 'tabs'>,
  { runId, sessionId, isStreaming, controller }: LiveRun,
): ReturnType<NonNullable<AgentCommandOptions['getWireState']>> {
  if (isStreaming && !controller.signal.aborted) return 'open'
  const connection = getOwn(present.get().connection.runs, runId)
  return tabs.isFollowing(sessionId) && connection && isWireWanted(connection.state) ? 'elsewhere' : 'closed'
}
