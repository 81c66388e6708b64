import { RunServerError } from '../runServerError.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { hashBody } from './hashBody.ts'
import { toText, type StartRequest } from './startRequest.ts'

interface Start {
  ownerId: string
  runId: string
  request: StartRequest
}

/** Keeps what a run was started with, so that its id stands for that alone. */
export async function rememberStart(
  transaction: RunServerTransaction,
  { now, ...start }: Start & { now: number },
): Promise<void> {
  const { ownerId } = start
  await transaction.idempotency.insert({ ownerId, key: keyOf(start), bodyHash: hashStart(start), answer: null, createdAt: now })
}

/**
 * Refuses to take a message for the one that a run was started with: whoever sent it would wait for its answer.
 *
 * @throws RunServerError `run_id_reused` (422).
 */
export async function requireSameStart(transaction: RunServerTransaction, start: Start): Promise<void> {
  const known = await transaction.idempotency.get(start.ownerId, keyOf(start))
  // What is older than retention nobody sends once more.
  if (known === undefined || known.bodyHash === hashStart(start)) return
  throw new RunServerError({
    status: 422,
    code: 'run_id_reused',
    message: 'This runId belongs to a run with another message. Make a new runId for a new message.',
  })
}

/** A command of the same person that had such a key would be refused, and nothing more. */
const keyOf = ({ runId }: Start) => `start\u001f${runId}`

/** What the person said and where; how it is to be answered may be told in other words when it is sent again. */
function hashStart({ request: { conversationId, messages } }: Start): string {
  return hashBody({ conversationId, text: toText(messages[0].content) })
}
