import { RunServerError } from '../runServerError.ts'
import type { RunRow } from '../store/rows.ts'
import type { RunServerStore } from '../store/runServerStore.ts'

/**
 * Refuses a cursor that the log cannot go on from, and says from where it can be gone on.
 *
 * @throws RunServerError `cursor_ahead` (409) where it is past the log's end: the store is another one;
 * `cursor_expired` (410) where retention has dropped what follows it.
 */
export async function requireCursor(store: RunServerStore, run: RunRow, after: number): Promise<void> {
  const { runId, firstSeq, lastSeq } = run
  if (after > lastSeq) {
    throw new RunServerError({
      status: 409,
      code: 'cursor_ahead',
      message: 'The cursor is ahead of the log. Drop what is known of this run and read it from 0.',
      details: { lastSeq },
    })
  }
  if (after >= firstSeq - 1) return
  const checkpoint = await store.read(({ checkpoints }) => checkpoints.getLast(runId))
  const url = `/api/agent/runs/${encodeURIComponent(runId)}/checkpoint`
  throw new RunServerError({
    status: 410,
    code: 'cursor_expired',
    message: 'The log no longer holds what follows the cursor. Read the conversation, or the checkpoint, instead.',
    details: {
      earliestSeq: firstSeq,
      lastSeq,
      checkpoint: checkpoint === undefined ? null : { seq: checkpoint.seq, kind: checkpoint.kind, url },
    },
  })
}
