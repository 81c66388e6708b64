import type { AgentEvent } from '../protocol/agentEvent.ts'
import { readApprovalQuestion } from '../protocol/readApprovalQuestion.ts'
import { wasEndedByRun } from '../selectors/wasEndedByRun.ts'
import { isRunEnd } from '../state/isRunEnd.ts'
import type { AgentTrace } from './agentTrace.ts'
import type { AgentApprovalMoment, AgentTraceMoment } from './agentTraceMoment.ts'

/** What a decision does not say again. */
interface Asked {
  about: Pick<AgentApprovalMoment, 'description' | 'isQuestion'>
  expiresAt: number | undefined
}

const unknownQuestion: Asked = { about: { description: '', isQuestion: false }, expiresAt: undefined }

/** Lists what is worth a look in a trace, by sequence: tool calls, approvals, checkpoints. */
export function listTraceMoments({ events, checkpoints }: Pick<AgentTrace, 'events' | 'checkpoints'>) {
  const names = new Map<string, string>()
  const asked = new Map<string, Asked>()
  const isRunOver = events.some(isRunEnd)
  const ofCheckpoints = checkpoints.map(
    ({ sequence, kind }): AgentTraceMoment => ({ kind: 'checkpoint', sequence, checkpointKind: kind }),
  )
  const ofEvents = events.flatMap((event) => toMoment(event, { names, asked, isRunOver }) ?? [])
  // A checkpoint is written after the event of its sequence; sorting keeps that order.
  return [...ofEvents, ...ofCheckpoints].sort((one, other) => one.sequence - other.sequence)
}

function toMoment(
  event: AgentEvent,
  { names, asked, isRunOver }: { names: Map<string, string>; asked: Map<string, Asked>; isRunOver: boolean },
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
      const { approvalId, description = '', data, expiresAt } = event.payload
      const question = readApprovalQuestion(data)
      const about = { description: question?.question ?? description, isQuestion: question !== undefined }
      asked.set(approvalId, { about, expiresAt })
      return { kind: 'approval', sequence, ...about }
    }
    case 'approval.resolved': {
      const { approvalId, decision } = event.payload
      const { about, expiresAt } = asked.get(approvalId) ?? unknownQuestion
      const isEndedByRun = wasEndedByRun({ decision, expiresAt, updatedAt: event.timestamp }, isRunOver)
      return { kind: 'approval', sequence, ...about, decision, ...(isEndedByRun && { isEndedByRun }) }
    }
    default:
      return undefined
  }
}
