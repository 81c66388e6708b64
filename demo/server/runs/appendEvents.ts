import type { EventRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { createRows } from './createRows.ts'
import type { EventDraft } from './eventDraft.ts'
import { getRunEnding } from './getRunEnding.ts'
import { hasEnded } from './hasEnded.ts'
import { LeaseLostError } from './leaseLostError.ts'
import { projectMessages } from './projectMessages.ts'
import { RunEndedError } from './runEndedError.ts'

/** What is added to a run's log, and by whom. */
export interface Append {
  runId: string
  drafts: readonly EventDraft[]
  now: number
  /** Of the lease under which it is written; without it the writer holds none: a command of a person. */
  epoch?: number
}

/**
 * Gives the drafts the run's next sequences and stores them, with all that follows from them (the run's status, the
 * read model), in the caller's transaction. Without drafts it only makes sure that the writer may still write.
 *
 * @throws RunEndedError where the run has ended: nothing comes after a terminal event; LeaseLostError where another
 * has taken the run over.
 */
export async function appendEvents(transaction: RunServerTransaction, append: Append): Promise<EventRow[]> {
  const { runId, drafts, now, epoch } = append
  const run = await transaction.runs.takeSequences({ runId, count: drafts.length, now, epoch })
  if (run === undefined) throw await explainRefusal(transaction, runId)
  if (drafts.length === 0) return []
  const rows = createRows(run, drafts, now)
  await transaction.events.insert(rows)
  await projectMessages(transaction, { run, rows })
  const status = getRunEnding(rows[rows.length - 1]!.event.type)
  if (status !== undefined) {
    await transaction.runs.update(runId, { status, waitingSince: null, interruption: null })
    await transaction.conversations.touch(run.ownerId, run.conversationId, now)
  }
  return rows
}

async function explainRefusal(transaction: RunServerTransaction, runId: string): Promise<Error> {
  const run = await transaction.runs.get(runId)
  return run === undefined || hasEnded(run.status) ? new RunEndedError(runId) : new LeaseLostError(runId)
}
