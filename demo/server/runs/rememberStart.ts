import type { RunServerTransaction } from '../store/runServerStore.ts'
import { identifyStart, type Start } from './identifyStart.ts'

/** Keeps what a run was started with, so that its id stands for that alone. */
export async function rememberStart(
  transaction: RunServerTransaction,
  { now, ...start }: Start & { now: number },
): Promise<void> {
  const { ownerId } = start
  await transaction.idempotency.insert({ ownerId, ...identifyStart(start), answer: null, createdAt: now })
}
