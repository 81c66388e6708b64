import type { EventRow, MessageRow, RunRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'

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
      content: await readContent(transaction, run.runId, messageId),
    })
  }
}

async function readContent(transaction: RunServerTransaction, runId: string, messageId: string): Promise<unknown> {
  let content: unknown = ''
  const types = ['message.started', 'message.delta'] as const
  for (const { event } of await transaction.events.list({ runId, after: 0, types, messageId })) {
    if (event.type === 'message.started') content = event.payload.content ?? ''
    if (event.type === 'message.delta') {
      // This server streams text only; a person's own message comes whole.
      content = `${content as string}${event.payload.delta as string}`
    }
  }
  return content
}
