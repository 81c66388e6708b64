import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import { createBatchWriter } from '../../src/state/createBatchWriter.ts'
import type { AgentSession } from './agentStateSlice.ts'
import { settleRuns } from './settleRuns.ts'

/** Folds a batch into a session: into its active part alone, unless a run ends. */
export function reduceSession(session: AgentSession, events: readonly AgentEvent[]): AgentSession {
  const writer = createBatchWriter(session.active, session.settled)
  for (const event of events) writer.apply(event)
  const active = writer.commit()
  if (active === session.active) return session
  const { settled, settledPositions } = session
  const activePositions = positionsOf(session, active.order.length)
  const next: AgentSession = { active, settled, activePositions, settledPositions }
  return writer.endedRuns.length > 0 ? settleRuns(next, new Set(writer.endedRuns)) : next
}

function positionsOf(session: AgentSession, length: number): readonly number[] {
  const { activePositions, settledPositions } = session
  const added = length - activePositions.length
  if (added === 0) return activePositions
  const next = Math.max(activePositions.at(-1) ?? -1, settledPositions.at(-1) ?? -1) + 1
  return [...activePositions, ...Array.from({ length: added }, (_, index) => next + index)]
}
