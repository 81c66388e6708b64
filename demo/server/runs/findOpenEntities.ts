import type { AgentEvent } from 'redux-agent'

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
const ends = /^(?:message|reasoning|tool)\.(?:completed|failed|cancelled)$|^approval\.resolved$/
const idFields = { message: 'messageId', reasoning: 'reasoningId', tool: 'toolCallId', approval: 'approvalId' } as const

/** Folds a run's events into what is still open. */
export function findOpenEntities(events: Iterable<AgentEvent>): OpenEntity[] {
  const open = new Map<string, OpenEntity>()
  for (const { type, payload } of events) {
    const kind = starts.get(type) ?? (ends.test(type) ? (type.slice(0, type.indexOf('.')) as OpenEntity['kind']) : null)
    if (kind === null) continue
    const id = (payload as Record<string, unknown>)[idFields[kind]] as string
    if (starts.has(type)) open.set(`${kind}:${id}`, { kind, id })
    else open.delete(`${kind}:${id}`)
  }
  return [...open.values()]
}
