import { getAgentEntityKey, type AgentEvent } from 'redux-agent'

type Kind = 'message' | 'reasoning' | 'tool' | 'approval'
type Entity = Record<string, unknown> & { content: string; arguments: string }

/** A state of the shape of ours, as the plainest reducer would have it. */
export interface FoldState {
  runs: Record<string, unknown>
  message: Record<string, Entity>
  reasoning: Record<string, Entity>
  tool: Record<string, Entity>
  approval: Record<string, Entity>
  order: { kind: string; id: string; runId: string }[]
  lastSequenceByRun: Record<string, number>
}

export const createFoldState = (): FoldState => ({
  runs: {},
  message: {},
  reasoning: {},
  tool: {},
  approval: {},
  order: [],
  lastSequenceByRun: {},
})

function add(state: FoldState, event: AgentEvent, kind: Kind, id: string, stated: object) {
  const { runId, timestamp } = event
  const times = { createdAt: timestamp, updatedAt: timestamp }
  state[kind][getAgentEntityKey(runId, id)] = { id, runId, content: '', arguments: '', ...times, ...stated }
  state.order.push({ kind, id, runId })
}

function get(state: FoldState, event: AgentEvent, kind: Kind, id: string) {
  const entity = state[kind][getAgentEntityKey(event.runId, id)]!
  entity.updatedAt = event.timestamp
  return entity
}

/** Writes an event of the bench's script into the state, or into a draft of it. */
export function foldEvent(state: FoldState, event: AgentEvent): void {
  state.lastSequenceByRun[event.runId] = event.sequence
  switch (event.type) {
    case 'run.started':
      state.runs[event.runId] = { id: event.runId, status: 'running', input: event.payload.input }
      break
    case 'run.completed':
      Object.assign(state.runs[event.runId]!, { status: 'completed', usage: event.payload.usage })
      break
    case 'message.started':
      add(state, event, 'message', event.payload.messageId, { role: event.payload.role, status: 'streaming' })
      break
    case 'message.delta':
      get(state, event, 'message', event.payload.messageId).content += event.payload.delta as string
      break
    case 'message.completed':
      get(state, event, 'message', event.payload.messageId).status = 'completed'
      break
    case 'reasoning.started':
      add(state, event, 'reasoning', event.payload.reasoningId, { status: 'streaming' })
      break
    case 'reasoning.delta':
      get(state, event, 'reasoning', event.payload.reasoningId).content += event.payload.delta
      break
    case 'reasoning.completed':
      get(state, event, 'reasoning', event.payload.reasoningId).status = 'completed'
      break
    case 'tool.requested':
      add(state, event, 'tool', event.payload.toolCallId, { name: event.payload.name, status: 'pending' })
      break
    case 'tool.arguments_delta':
      get(state, event, 'tool', event.payload.toolCallId).arguments += event.payload.delta
      break
    case 'tool.running':
      get(state, event, 'tool', event.payload.toolCallId).status = 'running'
      break
    case 'tool.completed':
      Object.assign(get(state, event, 'tool', event.payload.toolCallId), { status: 'completed', result: event.payload.result })
      break
    case 'approval.requested':
      add(state, event, 'approval', event.payload.approvalId, { status: 'waiting' })
      break
    case 'approval.resolved':
      Object.assign(get(state, event, 'approval', event.payload.approvalId), {
        status: 'completed',
        decision: event.payload.decision,
      })
      break
    default:
      throw new Error(`The bench's script has no ${event.type}.`)
  }
}
