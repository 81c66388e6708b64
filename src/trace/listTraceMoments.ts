import type { AgentEvent } from '../protocol/agentEvent.ts'
import { readApprovalQuestion } from '../protocol/readApprovalQuestion.ts'
import type { AgentTrace } from './agentTrace.ts'
import type { AgentApprovalMoment, AgentTraceMoment } from './agentTraceMoment.ts'

/** Lists what is worth a look in a trace, by sequence: tool calls, approvals, checkpoints. */
export function listTraceMoments({ events, checkpoints }: Pick<AgentTrace, 'events' | 'checkpoints'>) {
  const names = new Map<string, string>()
  const asked = new Map<string, Pick<AgentApprovalMoment, 'description' | 'isQuestion'>>()
  const ofCheckpoints = checkpoints.map(
    ({ sequence, kind }): AgentTraceMoment => ({ kind: 'checkpoint', sequence, checkpointKind: kind }),
  )
  const ofEvents = events.flatMap((event) => toMoment(event, names, asked) ?? [])
  // A checkpoint is written after the event of its sequence; sorting keeps that order.
  return [...ofEvents, ...ofCheckpoints].sort((one, other) => one.sequence - other.sequence)
}

function toMoment(
  event: AgentEvent,
  names: Map<string, string>,
  asked: Map<string, Pick<AgentApprovalMoment, 'description' | 'isQuestion'>>,
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
    case 'approval.requested': {
      const { approvalId, description = '', data } = event.payload
      const question = readApprovalQuestion(data)
      const about = { description: question?.question ?? description, isQuestion: question !== undefined }
      asked.set(approvalId, about)
      return { kind: 'approval', sequence, ...about }
    }
    case 'approval.resolved': {
      const { approvalId, decision } = event.payload
      const about = asked.get(approvalId) ?? { description: '', isQuestion: false }
      return { kind: 'approval', sequence, ...about, decision }
    }
    default:
      return undefined
  }
}
