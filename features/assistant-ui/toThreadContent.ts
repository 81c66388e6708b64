import type { ThreadMessageLike } from '@assistant-ui/react'
import { assertNever } from '../../src/assertNever.ts'
import { getAgentEntityKey } from '../../src/protocol/getAgentEntityKey.ts'
import type { AgentContentPart } from '../../src/protocol/agentMessageContent.ts'
import { getMediaType } from '../../src/adapters/support/getMediaType.ts'
import { toDataUrl } from '../../src/adapters/support/toDataUrl.ts'
import { readApprovalQuestion, type ApprovalQuestion } from '../../src/protocol/readApprovalQuestion.ts'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import type { AgentApprovalState } from '../../src/state/entities/agentApprovalState.ts'
import type { AgentMessageState } from '../../src/state/entities/agentMessageState.ts'
import type { AgentToolCallState } from '../../src/state/entities/agentToolCallState.ts'
import { findApprovalOf } from './findApprovalOf.ts'
import { questionId } from './questionId.ts'

/** One part of a message, as assistant-ui has it. */
export type ThreadPart = Exclude<ThreadMessageLike['content'], string>[number]
type ToolCallPart = Extract<ThreadPart, { type: 'tool-call' }>

/** What an item of the timeline is as parts of assistant-ui's message. */
export function toThreadContent(state: AgentState, item: AgentTimelineItem): readonly ThreadPart[] {
  switch (item.kind) {
    case 'message':
      return toMessageParts(item.entity)
    case 'reasoning':
      return item.entity.content === '' ? [] : [{ type: 'reasoning', text: item.entity.content }]
    case 'tool': {
      const { runId, name, arguments: argsText } = item.entity
      const approval = findApprovalOf(state, { runId, toolCallId: item.id })
      return [
        {
          type: 'tool-call',
          toolCallId: getAgentEntityKey(runId, item.id),
          toolName: name,
          argsText,
          ...toResult(item.entity),
          ...(approval && { approval: toApproval(approval) }),
        },
      ]
    }
    case 'approval':
      return item.entity.toolCallId !== undefined && hasCall(state, item.entity) ? [] : [toQuestion(item.entity)]
    case 'task':
      return [{ type: 'data-task', data: item.entity }]
    case 'artifact':
      return [{ type: 'data-artifact', data: item.entity }]
    default:
      return assertNever(item)
  }
}

/** A call without a result is one under way in their eyes, or one that waits for the person: what is over has one. */
function toResult({ status, result, error, reason }: AgentToolCallState): Pick<ToolCallPart, 'result' | 'isError'> {
  if (error) return { result: error.message, isError: true }
  if (status === 'cancelled') {
    return { result: { cancelled: true, ...(reason !== undefined && { reason }) }, isError: true }
  }
  return status === 'completed' ? { result: result ?? null } : {}
}

function toMessageParts({ role, content }: AgentMessageState): readonly ThreadPart[] {
  // Of a system's message they take one text, and throw at anything else.
  if (role === 'system') return [{ type: 'text', text: typeof content === 'string' ? content : getText(content) }]
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return content.map((part) => toContentPart(part, role))
}

const getText = (content: readonly AgentContentPart[]) =>
  content.map((part) => (isPart(part, 'text') ? part.text : '')).join('')

function toContentPart(part: AgentContentPart, role: string): ThreadPart {
  if (isPart(part, 'text')) return { type: 'text', text: part.text }
  if (isPart(part, 'image') || isPart(part, 'file')) {
    const { type } = part
    const url = toDataUrl(part)
    // An assistant's picture at any other address they leave out.
    const isPicture = type === 'image' && (role === 'user' || /^(https:|blob:|data:image\/)/i.test(url ?? ''))
    if (url !== undefined && isPicture) return { type: 'image', image: url }
    const named = type === 'file' && part.name !== undefined ? { filename: part.name } : {}
    if (url !== undefined) return { type: 'file', data: url, mimeType: getMediaType(part), ...named }
  }
  return { type: `data-${part.type}`, data: 'data' in part ? part.data : part }
}

function isPart<Type extends 'text' | 'image' | 'file'>(
  part: AgentContentPart,
  type: Type,
): part is Extract<AgentContentPart, { type: Type }> {
  return part.type === type
}

const hasCall = (state: AgentState, { runId, toolCallId }: AgentApprovalState) =>
  Object.hasOwn(state.toolCalls, getAgentEntityKey(runId, toolCallId!))

/** A question that belongs to no tool call is shown as one of its own, as assistant-ui asks at tool calls alone. */
function toQuestion(approval: AgentApprovalState): ToolCallPart {
  const key = getAgentEntityKey(approval.runId, approval.id)
  const argsText = approval.data === undefined ? '' : JSON.stringify(approval.data)
  const answered = approval.status === 'completed' && { result: approval.decision }
  return { type: 'tool-call', toolCallId: key, toolName: 'approval', argsText, ...answered, approval: toApproval(approval) }
}

function toApproval({ runId, id, status, decision, description, data }: AgentApprovalState) {
  const question = readApprovalQuestion(data)
  return {
    id: getAgentEntityKey(runId, id),
    ...(question && toQuestions(question, description)),
    ...(description !== undefined && { prompt: description }),
    ...(decision === 'expired' && { resolution: 'expired' as const }),
    ...(status === 'completed' && decision !== 'expired' && { approved: decision !== 'rejected' }),
  } satisfies NonNullable<ToolCallPart['approval']>
}

/** A plain question, in the form in which assistant-ui asks them. */
function toQuestions({ question, options, answer }: ApprovalQuestion, description = '') {
  const offered = options.map(({ value, label }) => ({ id: value, label }))
  const given = offered.some(({ id }) => id === answer) ? { optionIds: [answer!] } : { text: answer! }
  return {
    display: 'questions' as const,
    dismissible: true,
    questions: [
      { id: questionId, prompt: question ?? description, ...(offered.length > 0 && { options: offered, allowFreeform: true }) },
    ],
    ...(answer !== undefined && { answers: { [questionId]: given } }),
  }
}
