import type { EventRow, MessageRow, RunRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { readMessageContent } from './readMessageContent.ts'

const endings: ReadonlyMap<string, MessageRow['status']> = new Map([
  ['message.completed', 'completed'],
  ['message.failed', 'failed'],
  ['message.cancelled', 'cancelled'],
])

/** Keeps the read model's messages: a row when one starts, its whole content when it ends. */
export async function projectMessages(
  transaction: RunServerTransaction,
  options: { run: RunRow; rows: readonly EventRow[] },
): Promise<void> {
  const { run, rows } = options
  for (const { event, createdAt } of rows) {
    if (event.type === 'message.started') {
      const { messageId, role, content } = event.payload
      await transaction.messages.insert({
        ownerId: run.ownerId,
        conversationId: run.conversationId,
        runId: run.runId,
        messageId,
        role,
        content: content ?? '',
        status: 'streaming',
        createdAt,
      })
    }
    const status = endings.get(event.type)
    if (status === undefined) continue
    const { messageId } = event.payload as { messageId: string }
    await transaction.messages.update(run.runId, messageId, {
      status,
      content: await readMessageContent(transaction, run.runId, messageId),
    })
  }
}
