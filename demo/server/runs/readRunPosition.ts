import type { AgentEvent } from 'redux-agent'
import type { CutAnswer } from '../chat/createChatStreamMapper.ts'
import type { ChatMessage } from '../chat/chatMessage.ts'
import type { RequestedToolCall } from '../chat/createToolCallAssembler.ts'
import type { RunRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { buildChatMessages } from './buildChatMessages.ts'

/** Where a run stands by what is stored of it: at its beginning, or wherever a server that was stopped left it. */
export interface RunPosition {
  /** What the model is told next, once the open calls are answered. */
  messages: ChatMessage[]
  /** Calls of the model's last answer of which it has not heard yet. */
  openCalls: RequestedToolCall[]
  /** How many answers the model has given. */
  steps: number
  /** Whether the last of them was the final one. */
  isAnswered: boolean
  /** What stands of an answer that was cut off. */
  cut: CutAnswer | undefined
  /** Whether the model had begun to answer: what that cost is not known any more. */
  hasBegun: boolean
  /** Half-streamed calls, which are not in `messages`. */
  abandonedCallIds: string[]
  openReasoningIds: string[]
  toolCallIds: string[]
  isFirstMessageTaken: boolean
}

/** The reason of what ends because the server was stopped while it was being streamed. */
export const interruptedReason = 'interrupted'

const types = [
  ...(['message.started', 'message.completed', 'reasoning.started', 'reasoning.completed'] as const),
  ...(['reasoning.cancelled', 'tool.requested', 'tool.completed', 'tool.failed', 'tool.cancelled'] as const),
]

/** Reads a run's position; of its text no more than what an answer that was cut off has said. */
export async function readRunPosition(transaction: RunServerTransaction, run: RunRow): Promise<RunPosition> {
  const { runId } = run
  const messages = await buildChatMessages(transaction, run)
  const rows = await transaction.transcript.list(run.ownerId, run.conversationId)
  const own = rows.flatMap((row) => (row.runId === runId ? [row.message] : []))
  const log = (await transaction.events.list({ runId, after: 0, types })).map((row) => row.event)
  const answers = own.filter((message) => message.role === 'assistant')
  const answered = new Set(own.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : [])))
  const calls = answers.flatMap((message) => message.tool_calls ?? [])
  const openCalls = calls.filter(({ id }) => !answered.has(id))
  const isAnswered = answers.length > 0 && (answers[answers.length - 1]!.tool_calls ?? []).length === 0
  const cut = openCalls.length > 0 || isAnswered ? undefined : await readCutAnswer(transaction, runId, log)
  const known = new Set(calls.map(({ id }) => id))
  const requested = log.flatMap((event) => (event.type === 'tool.requested' ? [event.payload] : []))
  const ended = new Set(log.flatMap((event) => (isToolEnd(event) ? [event.payload.toolCallId] : [])))
  const isAbandoned = ({ toolCallId, retryOf }: (typeof requested)[number]) =>
    !known.has(toolCallId) && retryOf === undefined && !ended.has(toolCallId)
  const spoken = log.flatMap((event) =>
    event.type === 'message.started' && event.payload.role === 'assistant' ? [event.payload.messageId] : [],
  )
  return {
    messages,
    openCalls: openCalls.map(({ id, function: called }) => ({ toolCallId: id, ...called })),
    steps: answers.length,
    isAnswered,
    cut,
    hasBegun: log.some(({ type }) => !type.startsWith('message')) || spoken.length > 0,
    abandonedCallIds: requested.filter(isAbandoned).map(({ toolCallId }) => toolCallId),
    openReasoningIds: findOpenReasoning(log),
    toolCallIds: requested.map(({ toolCallId }) => toolCallId),
    isFirstMessageTaken: spoken.includes(run.assistantMessageId),
  }
}

/** An answer begins after the last call of the one before has ended; calls that were cut off are its own. */
async function readCutAnswer(
  transaction: RunServerTransaction,
  runId: string,
  log: readonly AgentEvent[],
): Promise<CutAnswer | undefined> {
  const end = log.findLast(
    (event) => isToolEnd(event) && !(event.type === 'tool.cancelled' && event.payload.reason === interruptedReason),
  )
  const after = end?.sequence ?? 0
  const deltas = await transaction.events.list({ runId, after, types: ['message.delta'] })
  const text = deltas.map(({ event }) => (event.type === 'message.delta' ? String(event.payload.delta) : '')).join('')
  const last = log.findLast((event) => event.type === 'message.started' || event.type === 'message.completed')
  const messageId = last?.type === 'message.started' ? last.payload.messageId : undefined
  return text === '' && messageId === undefined ? undefined : { text, messageId }
}

function isToolEnd(event: AgentEvent) {
  return event.type === 'tool.completed' || event.type === 'tool.failed' || event.type === 'tool.cancelled'
}

function findOpenReasoning(log: readonly AgentEvent[]): string[] {
  const open = new Set<string>()
  for (const event of log) {
    if (event.type === 'reasoning.started') open.add(event.payload.reasoningId)
    if (event.type === 'reasoning.completed' || event.type === 'reasoning.cancelled') {
      open.delete(event.payload.reasoningId)
    }
  }
  return [...open]
}
