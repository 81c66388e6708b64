import { RunServerError } from '../runServerError.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { identifyStart, type Start } from './identifyStart.ts'

/**
 * Refuses to take a message for the one that a run was started with: whoever sent it would wait for its answer.
 *
 * @throws RunServerError `run_id_reused` (422).
 */
export async function requireSameStart(transaction: RunServerTransaction, start: Start): Promise<void> {
  const { key, bodyHash } = identifyStart(start)
  const known = await transaction.idempotency.get(start.ownerId, key)
  // What is older than retention nobody sends once more.
  if (known === undefined || known.bodyHash === bodyHash) return
  throw new RunServerError({
    status: 422,
    code: 'run_id_reused',
    message: 'This runId belongs to a run with another message. Make a new runId for a new message.',
  })
}
