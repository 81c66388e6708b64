import { createAgentEventFactory } from 'redux-agent'
import type { EventRow, RunRow } from '../store/rows.ts'
import type { EventDraft } from './eventDraft.ts'

/** Makes the rows of drafts that have got their sequences: the run's last is the last draft's. */
export function createRows(run: RunRow, drafts: readonly EventDraft[], now: number): EventRow[] {
  const { runId, conversationId: sessionId } = run
  const initialSequence = run.lastSeq - drafts.length
  const events = createAgentEventFactory({ sessionId, runId, initialSequence, now: () => now })
  return drafts.map(({ type, payload }) => {
    // The draft's type and payload belong together; a union of calls cannot say so.
    const event = events.create(type, payload as never) as EventRow['event']
    return { runId, seq: event.sequence, event, createdAt: now }
  })
}
