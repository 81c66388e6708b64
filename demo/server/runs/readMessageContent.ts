import type { RunServerTransaction } from '../store/runServerStore.ts'

/** What a message of a run says so far. */
export async function readMessageContent(
  transaction: RunServerTransaction,
  runId: string,
  messageId: string,
): Promise<unknown> {
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
