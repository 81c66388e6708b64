import { createAgentEventFactory } from 'redux-agent'
import type { EventRow, RunRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import type { EventDraft } from './eventDraft.ts'
import { getRunEnding } from './getRunEnding.ts'
import { hasEnded } from './hasEnded.ts'
import { projectMessages } from './projectMessages.ts'
import { RunEndedError } from './runEndedError.ts'

/**
 * Gives the drafts the run's next sequences and stores them, with all that follows from them (the run's status, the
 * read model), in the caller's transaction.
 *
 * @throws RunEndedError where the run has ended: nothing comes after a terminal event.
 */
export async function appendEvents(
  transaction: RunServerTransaction,
  options: { runId: string; drafts: readonly EventDraft[]; now: number },
): Promise<EventRow[]> {
  const { runId, drafts, now } = options
  const run = await transaction.runs.get(runId)
  if (run === undefined || hasEnded(run.status)) throw new RunEndedError(runId)
  if (drafts.length === 0) return []
  const rows = createRows(run, drafts, now)
  const status = getRunEnding(rows[rows.length - 1]!.event.type)
  await transaction.events.insert(rows)
  await transaction.runs.update(runId, {
    lastSeq: run.lastSeq + rows.length,
    updatedAt: now,
    ...(status !== undefined && { status, waitingSince: null }),
  })
  await projectMessages(transaction, { run, rows })
  if (status !== undefined) await transaction.conversations.touch(run.ownerId, run.conversationId, now)
  return rows
}

function createRows(run: RunRow, drafts: readonly EventDraft[], now: number): EventRow[] {
  const { runId, conversationId: sessionId, lastSeq: initialSequence } = run
  const events = createAgentEventFactory({ sessionId, runId, initialSequence, now: () => now })
  return drafts.map(({ type, payload }) => {
    // The draft's type and payload belong together; a union of calls cannot say so.
    const event = events.create(type, payload as never) as EventRow['event']
    return { runId, seq: event.sequence, event, createdAt: now }
  })
}
