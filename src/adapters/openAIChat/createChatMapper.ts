import { append } from '../../append.ts'
import { parseJson } from '../../parseJson.ts'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import type { AgentContentPart, AgentMessageContent } from '../../protocol/agentMessageContent.ts'
import type { AgentEventFactory } from '../../protocol/createAgentEventFactory.ts'
import type { AgentError } from '../../protocol/agentError.ts'
import { isFilled, isRecord } from '../../protocol/predicates.ts'
import { describeError } from '../../provider/describeError.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { nameWireError } from '../../transport/nameWireError.ts'
import { toOpenAIError } from '../openAI/openAIError.ts'
import { readOpenAIUsage } from '../openAI/readOpenAIUsage.ts'
import { handedToApp } from '../openAI/toolText.ts'
import type { AdapterChunk } from '../support/adapterChunk.ts'
import { closeEntity, type EntityEnding, type OpenEntity } from '../support/closeEntity.ts'
import { readChatChunk, type ChatContent } from './chatChunk.ts'
import { createMessageReader } from './createMessageReader.ts'
import { createToolCallAssembler, type RequestedCall } from './createToolCallAssembler.ts'
import { openAIChatAdapter as adapter } from './openAIChatAdapter.ts'

/** Makes events of one answer's chunks, and its one ending. */
export interface ChatMapper {
  push(chunk: AdapterChunk): AgentEvent[]
  /**
   * Ends the run where the stream has ended.
   *
   * @throws AgentTransportError `incomplete` where the answer was not whole by then.
   */
  finish(): AgentEvent[]
  /** Ends the run where the stream broke; an answer that was whole by then stays whole. */
  fail(error: unknown): AgentEvent[]
}

/** Reasons for an end that say that the answer failed. */
const failures: readonly string[] = ['error', 'insufficient_system_resource']
/** Reasons for an end that leave the last call's arguments cut off. */
const cuts: readonly string[] = ['length', 'content_filter', 'model_length']

const messageId = 'assistant'

/** Begins an answer: one message, its reasoning, and the calls that the model asks for, which nobody runs here. */
export function createChatMapper(events: AgentEventFactory, runId: string): ChatMapper {
  const toolCalls = createToolCallAssembler(events, runId)
  const messages = createMessageReader()
  let chunks = 0
  let hasMessage = false
  let reasoningId: string | undefined
  let reasonings = 0
  let finishReason: string | undefined
  let isRefused = false
  let usage: unknown
  /** An error that came once the answer was whole: it stands, and so does what was said of it. */
  let lateError: AgentError | undefined
  let hasEnded = false

  function closeReasoning(): AgentEvent[] {
    if (reasoningId === undefined) return []
    const closed = closeEntity(events, { kind: 'reasoning', id: reasoningId }, { status: 'completed' })
    reasoningId = undefined
    return [closed]
  }

  function reason(delta: string): AgentEvent[] {
    if (delta === '') return []
    const pushed: AgentEvent[] = []
    if (reasoningId === undefined) {
      reasoningId = reasonings === 0 ? 'reasoning' : `reasoning:${reasonings}`
      reasonings += 1
      pushed.push(events.create('reasoning.started', { reasoningId }))
    }
    pushed.push(events.create('reasoning.delta', { reasoningId, delta }))
    return pushed
  }

  function say(delta: AgentMessageContent): AgentEvent[] {
    if (delta.length === 0) return []
    const pushed = closeReasoning()
    if (!hasMessage) pushed.push(events.create('message.started', { messageId, role: 'assistant' }))
    hasMessage = true
    pushed.push(events.create('message.delta', { messageId, delta }))
    return pushed
  }

  /** Events are made in the order in which they are told, as each one takes the next sequence. */
  function closeAll(
    ending: EntityEnding,
    { isLastWhole, closeCall }: { isLastWhole: boolean; closeCall: (call: RequestedCall) => AgentEvent },
  ): AgentEvent[] {
    const open: OpenEntity[] = []
    if (reasoningId !== undefined) open.push({ kind: 'reasoning', id: reasoningId })
    if (hasMessage) open.push({ kind: 'message', id: messageId })
    const closed = open.map((entity) => closeEntity(events, entity, ending))
    const told = toolCalls.settle({ isLastWhole })
    return [...closed, ...told, ...toolCalls.getCalls().map(closeCall)]
  }

  function complete(): AgentEvent[] {
    hasEnded = true
    const isCut = finishReason !== undefined && cuts.includes(finishReason)
    const counted = readOpenAIUsage(usage)
    const closed = closeAll(
      { status: 'completed' },
      {
        isLastWhole: !isCut,
        closeCall({ toolCallId, arguments: text }) {
          const reason = isCut && parseJson(text) === undefined ? 'Its arguments were cut off.' : handedToApp
          return events.create('tool.cancelled', { toolCallId, reason })
        },
      },
    )
    return [
      ...closed,
      events.create('run.completed', {
        output: {
          finishReason: finishReason ?? 'unknown',
          ...(isRefused && { refused: true }),
          ...(lateError && { error: lateError }),
        },
        ...(counted && { usage: counted }),
      }),
    ]
  }

  function failWith(error: AgentError): AgentEvent[] {
    hasEnded = true
    const ending = { status: 'failed', error } as const
    const closeCall = ({ toolCallId }: RequestedCall) => closeEntity(events, { kind: 'tool', id: toolCallId }, ending)
    const closed = closeAll(ending, { isLastWhole: false, closeCall })
    return [...closed, events.create('run.failed', { error })]
  }

  function take(content: ChatContent, pushCall = toolCalls.push): AgentEvent[] {
    isRefused ||= content.refusal !== ''
    const pushed = [
      ...reason(content.reasoning),
      ...say(content.text + content.refusal),
      ...say(content.parts.map(toContentPart)),
    ]
    if (content.toolCalls.length > 0) append(pushed, closeReasoning())
    for (const call of content.toolCalls) append(pushed, pushCall(call))
    return pushed
  }

  return {
    push(chunk) {
      if (hasEnded) return []
      chunks = chunk.index + 1
      // The word that nothing more comes; some servers give no other.
      if (chunk.isDone) return complete()
      const delta = readChatChunk(chunk)
      usage = delta.usage ?? usage
      const place = { adapter, chunk: chunk.index }
      if (delta.error !== undefined) {
        const error = toOpenAIError(delta.error, place)
        if (finishReason === undefined) return failWith(error)
        lateError ??= error
        return []
      }
      finishReason = delta.finishReason ?? finishReason
      messages.takeDelta(delta)
      const pushed = take(delta)
      if (delta.message) {
        const rest = messages.takeMessage(delta.message, { isLast: delta.finishReason !== undefined })
        append(pushed, take(rest, toolCalls.pushWhole))
      }
      if (delta.finishReason === undefined || !failures.includes(delta.finishReason)) return pushed
      return [...pushed, ...failWith(toOpenAIError({ code: delta.finishReason }, place))]
    },
    finish() {
      if (hasEnded) return []
      if (finishReason !== undefined) return complete()
      const message = 'The stream ended before the answer did. Send the message again.'
      const error = new AgentTransportError('incomplete', message, { retryable: true })
      throw nameWireError(error, { adapter, after: chunks })
    },
    fail(error) {
      if (hasEnded) return []
      return finishReason === undefined ? failWith(describeError(error, { adapter })) : complete()
    },
  }
}

/** A picture as a picture; what else content may hold under its own name, for whoever knows it. */
function toContentPart(part: Readonly<Record<string, unknown>>): AgentContentPart {
  const { type, image_url: image } = part
  const url = isRecord(image) ? image.url : image
  if (type === 'image_url' && typeof url === 'string') return { type: 'image', url }
  return { type: `openai.${isFilled(type) ? type : 'part'}`, data: part }
}
