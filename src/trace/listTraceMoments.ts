import type { AgentEvent } from '../protocol/agentEvent.ts'
import type { AgentTrace } from './agentTrace.ts'
import type { AgentTraceMoment } from './agentTraceMoment.ts'

/** Lists what is worth a look in a trace, by sequence: tool calls, approvals, checkpoints. */
export function listTraceMoments({ events, checkpoints }: Pick<AgentTrace, 'events' | 'checkpoints'>) {
  const names = new Map<string, string>()
  const descriptions = new Map<string, string>()
  const ofCheckpoints = checkpoints.map(
    ({ sequence, kind }): AgentTraceMoment => ({ kind: 'checkpoint', sequence, checkpointKind: kind }),
  )
  const ofEvents = events.flatMap((event) => toMoment(event, names, descriptions) ?? [])
  // A checkpoint is written after the event of its sequence; sorting keeps that order.
  return [...ofEvents, ...ofCheckpoints].sort((one, other) => one.sequence - other.sequence)
}

function toMoment(
  event: AgentEvent,
  names: Map<string, string>,
  descriptions: Map<string, string>,
): AgentTraceMoment | undefined {
  const { sequence } = event
  switch (event.type) {
    case 'tool.requested':
      names.set(event.payload.toolCallId, event.payload.name)
      return { kind: 'tool', sequence, type: event.type, name: event.payload.name }
    case 'tool.completed':
    case 'tool.failed':
    case 'tool.cancelled':
      return { kind: 'tool', sequence, type: event.type, name: names.get(event.payload.toolCallId) ?? '' }
    case 'approval.requested':
      descriptions.set(event.payload.approvalId, event.payload.description ?? '')
      return { kind: 'approval', sequence, description: event.payload.description ?? '' }
    case 'approval.resolved': {
      const { approvalId, decision } = event.payload
      return { kind: 'approval', sequence, description: descriptions.get(approvalId) ?? '', decision }
    }
    default:
      return undefined
  }
}
