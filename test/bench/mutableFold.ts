import { getAgentEntityKey, type AgentEvent } from 'redux-agent'

type Entity = Record<string, unknown> & { content: string; arguments: string }

/**
 * The floor: the same events folded into the same shape of state by mutation, with no check whatever: nothing is
 * refused, deduplicated, copied or frozen.
 */
export function mutableFold(events: readonly AgentEvent[]) {
  const runs: Record<string, unknown> = {}
  const entities: Record<string, Entity> = {}
  const order: { kind: string; id: string; runId: string }[] = []
  const lastSequenceByRun: Record<string, number> = {}

  function add(event: AgentEvent, kind: string, id: string, stated: object) {
    const { runId, timestamp } = event
    const times = { createdAt: timestamp, updatedAt: timestamp }
    entities[getAgentEntityKey(runId, id)] = { id, runId, content: '', arguments: '', ...times, ...stated }
    order.push({ kind, id, runId })
  }
  const get = (event: AgentEvent, id: string) => {
    const entity = entities[getAgentEntityKey(event.runId, id)]!
    entity.updatedAt = event.timestamp
    return entity
  }

  for (const event of events) {
    lastSequenceByRun[event.runId] = event.sequence
    switch (event.type) {
      case 'run.started':
        runs[event.runId] = { id: event.runId, status: 'running', input: event.payload.input }
        break
      case 'run.completed':
        Object.assign(runs[event.runId]!, { status: 'completed', usage: event.payload.usage })
        break
      case 'message.started':
        add(event, 'message', event.payload.messageId, { role: event.payload.role, status: 'streaming' })
        break
      case 'message.delta':
        get(event, event.payload.messageId).content += event.payload.delta as string
        break
      case 'message.completed':
        get(event, event.payload.messageId).status = 'completed'
        break
      case 'reasoning.started':
        add(event, 'reasoning', event.payload.reasoningId, { status: 'streaming' })
        break
      case 'reasoning.delta':
        get(event, event.payload.reasoningId).content += event.payload.delta
        break
      case 'reasoning.completed':
        get(event, event.payload.reasoningId).status = 'completed'
        break
      case 'tool.requested':
        add(event, 'tool', event.payload.toolCallId, { name: event.payload.name, status: 'pending' })
        break
      case 'tool.arguments_delta':
        get(event, event.payload.toolCallId).arguments += event.payload.delta
        break
      case 'tool.running':
        get(event, event.payload.toolCallId).status = 'running'
        break
      case 'tool.completed':
        Object.assign(get(event, event.payload.toolCallId), { status: 'completed', result: event.payload.result })
        break
      case 'approval.requested':
        add(event, 'approval', event.payload.approvalId, { status: 'waiting' })
        break
      case 'approval.resolved':
        Object.assign(get(event, event.payload.approvalId), { status: 'completed', decision: event.payload.decision })
        break
      default:
        throw new Error(`The bench's script has no ${event.type}.`)
    }
  }
  return { runs, entities, order, lastSequenceByRun }
}
