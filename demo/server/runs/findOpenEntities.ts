import type { AgentEvent } from 'redux-agent'
import type { RunServerTransaction } from '../store/runServerStore.ts'

/** What a run has begun and not ended, in the order in which it began. */
export interface OpenEntity {
  kind: 'message' | 'reasoning' | 'tool' | 'approval'
  id: string
}

const starts: ReadonlyMap<string, OpenEntity['kind']> = new Map([
  ['message.started', 'message'],
  ['reasoning.started', 'reasoning'],
  ['tool.requested', 'tool'],
  ['approval.requested', 'approval'],
])
const ends: ReadonlyMap<string, OpenEntity['kind']> = new Map([
  ...(['message', 'reasoning', 'tool'] as const).flatMap((kind) =>
    ['completed', 'failed', 'cancelled'].map((end) => [`${kind}.${end}`, kind] as const),
  ),
  ['approval.resolved', 'approval'],
])
const idFields = { message: 'messageId', reasoning: 'reasoningId', tool: 'toolCallId', approval: 'approvalId' } as const
const types = [...starts.keys(), ...ends.keys()] as AgentEvent['type'][]

/** Folds a run's log into what is still open; of its text nothing is read. */
export async function findOpenEntities(transaction: RunServerTransaction, runId: string): Promise<OpenEntity[]> {
  const open = new Map<string, OpenEntity>()
  for (const { event } of await transaction.events.list({ runId, after: 0, types })) {
    const { type, payload } = event
    const kind = (starts.get(type) ?? ends.get(type))!
    const id = (payload as Record<string, unknown>)[idFields[kind]] as string
    if (starts.has(type)) open.set(`${kind}:${id}`, { kind, id })
    else open.delete(`${kind}:${id}`)
  }
  return [...open.values()]
}
