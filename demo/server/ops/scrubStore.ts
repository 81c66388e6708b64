import type { EventRow } from '../store/rows.ts'
import type { RunServerStore, RunServerTransaction } from '../store/runServerStore.ts'
import type { Scrubber } from './createScrubber.ts'

/**
 * A store into whose log, checkpoints and read model no secret gets, whoever writes. What a person keeps in a document
 * is theirs, and what a tool is to do with it has to be known to the letter: documents, memories, open approvals and
 * the arguments of calls are stored as they are.
 */
export function scrubStore(store: RunServerStore, scrubber: Pick<Scrubber, 'value' | 'text'>): RunServerStore {
  // A store has few transactions, which it uses again and again.
  const known = new WeakMap<RunServerTransaction, RunServerTransaction>()
  const adopt = (transaction: RunServerTransaction) => {
    const found = known.get(transaction)
    if (found !== undefined) return found
    const made = scrubTransaction(transaction, scrubber)
    known.set(transaction, made)
    return made
  }
  return { ...store, transaction: (work) => store.transaction((transaction) => work(adopt(transaction))) }
}

function scrubTransaction(
  transaction: RunServerTransaction,
  { value, text }: Pick<Scrubber, 'value' | 'text'>,
): RunServerTransaction {
  const { events, checkpoints, transcript, messages, toolCalls, idempotency, conversations, observations } = transaction
  const scrubEvent = (row: EventRow) => {
    const payload = value(row.event.payload)
    return payload === row.event.payload ? row : { ...row, event: { ...row.event, payload } as EventRow['event'] }
  }
  return {
    ...transaction,
    events: {
      ...events,
      insert: (rows) => events.insert(rows.map(scrubEvent)),
    },
    checkpoints: { ...checkpoints, put: (row) => checkpoints.put({ ...row, checkpoint: value(row.checkpoint) }) },
    transcript: { ...transcript, append: (row) => transcript.append({ ...row, message: value(row.message) }) },
    messages: {
      ...messages,
      insert: (row) => messages.insert({ ...row, content: value(row.content) }),
      update: (runId, messageId, { status, content }) =>
        messages.update(runId, messageId, { status, content: value(content) }),
    },
    toolCalls: {
      ...toolCalls,
      update: (runId, toolCallId, patch) =>
        toolCalls.update(runId, toolCallId, 'result' in patch ? { ...patch, result: value(patch.result) } : patch),
    },
    idempotency: { ...idempotency, insert: (row) => idempotency.insert({ ...row, answer: value(row.answer) }) },
    conversations: { ...conversations, insert: (row) => conversations.insert({ ...row, title: text(row.title) }) },
    observations: {
      ...observations,
      insert: (row) => observations.insert({ ...row, question: text(row.question), answer: text(row.answer) }),
    },
  }
}
