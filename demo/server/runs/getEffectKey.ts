import type { RunServerTransaction } from '../store/runServerStore.ts'

/**
 * The key under which a tool call acts outside. Of an earlier attempt nobody may know what became of it: the next one
 * then acts under the same key, so that a service that knows it does nothing twice. After a refusal the key is a new
 * one, since a service may give its first answer again.
 */
export async function getEffectKey(
  transaction: RunServerTransaction,
  { runId, toolCallId }: { runId: string; toolCallId: string },
): Promise<string> {
  const unknown = (await transaction.toolCalls.listByRun(runId)).filter(({ status }) => status === 'unknown')
  const before = new Map(unknown.map((row) => [row.retriedBy, row.toolCallId]))
  let first = toolCallId
  for (let next = before.get(first); next !== undefined; next = before.get(first)) first = next
  return `${runId}:${first}`
}
