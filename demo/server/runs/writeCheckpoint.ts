import type { ChatMessage } from '../chat/chatMessage.ts'
import type { CheckpointKind, RunRow, ToolCallRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import type { AgentRunCheckpoint } from './agentRunCheckpoint.ts'
import { hashBody } from './hashBody.ts'
import { omitTexts } from './omitTexts.ts'
import { omitTextsOfJson } from './omitTextsOfJson.ts'

/** How many characters of a message a checkpoint keeps, and of the draft. */
const maxMessageLength = 2_000
const maxDraftLength = 64_000
const maxMessages = 100

/**
 * Writes a checkpoint at the run's last sequence, in the caller's transaction. It is made of what is stored alone: the
 * checkpoint before it and what came since, so that whoever goes on with the run writes the same.
 */
export async function writeCheckpoint(
  transaction: RunServerTransaction,
  { runId, kind, now }: { runId: string; kind: CheckpointKind; now: number },
): Promise<void> {
  const run = (await transaction.runs.get(runId))!
  const seq = run.lastSeq
  const { textLength, reasoningLength, draft } = await readText(transaction, runId)
  const calls = await transaction.toolCalls.listByRun(runId)
  const transcript = await transaction.transcript.listByRun(runId)
  const isPending = ({ status }: ToolCallRow) => ['requested', 'started', 'unknown'].includes(status)
  const checkpoint: AgentRunCheckpoint = {
    runId,
    seq,
    kind,
    conversationId: run.conversationId,
    assistantMessageId: run.assistantMessageId,
    textLength,
    reasoningLength,
    completedToolCallIds: calls.filter((call) => !isPending(call)).map(({ toolCallId }) => toolCallId),
    pendingToolCallIds: calls.filter(isPending).map(({ toolCallId }) => toolCallId),
    lastIteration: transcript.filter(({ message }) => message.role === 'assistant').length,
    resumeState: {
      compressedMessages: transcript.slice(-maxMessages).map(({ message }) => compressMessage(message)),
      model: run.model,
      enableThinking: run.enableThinking,
      mode: run.mode,
      currentDocument: await describeDocument(transaction, run),
      toolResults: calls.flatMap(describeResult),
      assistantDraft: draft,
    },
    createdAt: now,
  }
  await transaction.checkpoints.put({ runId, seq, kind, checkpoint, createdAt: now })
}

const textTypes = ['message.started', 'message.delta', 'reasoning.started', 'reasoning.delta'] as const

async function readText(transaction: RunServerTransaction, runId: string) {
  const before = (await transaction.checkpoints.getLast(runId))?.checkpoint as AgentRunCheckpoint | undefined
  let { textLength, reasoningLength } = before ?? { textLength: 0, reasoningLength: 0 }
  let { text, reasoning = '' } = before?.resumeState.assistantDraft ?? { text: '' }
  const rows = await transaction.events.list({ runId, after: before?.seq ?? 0, types: textTypes })
  for (const { event } of rows) {
    if (event.type === 'message.started' && event.payload.role === 'assistant') text = ''
    if (event.type === 'reasoning.started') reasoning = ''
    if (event.type === 'message.delta') {
      const delta = String(event.payload.delta)
      text += delta
      textLength += delta.length
    }
    if (event.type === 'reasoning.delta') {
      reasoning += event.payload.delta
      reasoningLength += event.payload.delta.length
    }
  }
  const draft = {
    text: text.slice(-maxDraftLength),
    ...(reasoning !== '' && { reasoning: reasoning.slice(-maxDraftLength) }),
  }
  return { textLength, reasoningLength, draft }
}

async function describeDocument(transaction: RunServerTransaction, run: RunRow) {
  const { ownerId, currentDocumentId: id, currentDocumentHash } = run
  if (id === null) return null
  const title = (await transaction.documents.get(ownerId, id))?.title
  return {
    id,
    ...(title !== undefined && { title }),
    ...(currentDocumentHash !== null && { contentHash: currentDocumentHash }),
  }
}

function describeResult({ status, toolCallId, name, arguments: input, result, completedAt }: ToolCallRow) {
  if (status !== 'succeeded') return []
  return [
    {
      toolCallId,
      toolName: name,
      argumentsJson: omitTextsOfJson(input),
      result: omitTexts(result),
      resultHash: hashBody(result),
      completedAt: completedAt ?? 0,
    },
  ]
}

function compressMessage(message: ChatMessage): unknown {
  if (message.role === 'tool') return { ...message, content: omitTextsOfJson(message.content) }
  if (message.role !== 'assistant') return { ...message, content: message.content.slice(0, maxMessageLength) }
  const calls = message.tool_calls?.map((call) => ({
    ...call,
    function: { ...call.function, arguments: omitTextsOfJson(call.function.arguments) },
  }))
  return {
    ...message,
    content: message.content?.slice(0, maxMessageLength) ?? null,
    ...(calls !== undefined && { tool_calls: calls }),
  }
}
