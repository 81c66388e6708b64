import type { DeltaDraft, EventDraft } from '../runs/eventDraft.ts'
import { chatCompletionChunkSchema, type ChatCompletionChunk, type ChatUsage } from './chatCompletionChunk.ts'
import { createRepeatFilter } from './createRepeatFilter.ts'
import { createToolCallAssembler, type RequestedToolCall } from './createToolCallAssembler.ts'

/** What one answer of the model came to. */
export interface ModelStep {
  text: string
  refused: boolean
  messageId: string | undefined
  toolCalls: RequestedToolCall[]
  /** As the wire states it (`stop`, `tool_calls`, `length`, `content_filter`); undefined where the stream was cut. */
  finishReason: string | undefined
  usage: Record<string, number>
}

/** What stands of an answer that was cut off. */
export interface CutAnswer {
  text: string
  /** Its message, where that is still open. */
  messageId: string | undefined
}

/** Turns the chunks of one answer into events, piece by piece. */
export interface ChatStreamMapper {
  /** Events of a chunk; one that is no chunk at all has none. */
  push(chunk: unknown): (EventDraft | DeltaDraft)[]
  /** Closes what is still open and says what the answer was; tool calls stay open for whoever runs them. */
  finish(): { drafts: EventDraft[]; step: ModelStep }
}

/** Ids are asked for when an entity begins; without `withReasoning` the model's reasoning is left out. */
export function createChatStreamMapper(options: {
  createMessageId(): string
  createReasoningId(): string
  claimToolCallId(wireId: string | undefined): string
  withReasoning: boolean
  /** What an answer that was cut off has said; this one continues it, in the same message where that is still open. */
  cut?: CutAnswer
}): ChatStreamMapper {
  const withoutRepeated = createRepeatFilter(options.cut?.text ?? '')
  const toolCalls = createToolCallAssembler(options.claimToolCallId)
  let text = options.cut?.text ?? ''
  let openMessageId = options.cut?.messageId
  let messageId = openMessageId
  let reasoningId: string | undefined
  let finishReason: string | undefined
  let refused = false
  let usage: Record<string, number> = {}

  const closeReasoning = (): EventDraft[] => {
    if (reasoningId === undefined) return []
    const payload = { reasoningId }
    reasoningId = undefined
    return [{ type: 'reasoning.completed', payload }]
  }
  const reason = (delta: string): (EventDraft | DeltaDraft)[] => {
    if (delta === '' || !options.withReasoning) return []
    const started: EventDraft[] = []
    if (reasoningId === undefined) {
      reasoningId = options.createReasoningId()
      started.push({ type: 'reasoning.started', payload: { reasoningId } })
    }
    return [...started, { type: 'reasoning.delta', payload: { reasoningId, delta } }]
  }
  const say = (delta: string): (EventDraft | DeltaDraft)[] => {
    if (delta === '') return []
    const before: EventDraft[] = closeReasoning()
    if (openMessageId === undefined) {
      messageId = openMessageId = options.createMessageId()
      before.push({ type: 'message.started', payload: { messageId, role: 'assistant' } })
    }
    text += delta
    return [...before, { type: 'message.delta', payload: { messageId: openMessageId, delta } }]
  }
  const closeMessage = (): EventDraft[] => {
    if (openMessageId === undefined) return []
    const payload = { messageId: openMessageId }
    openMessageId = undefined
    return [{ type: 'message.completed', payload }]
  }

  return {
    push(value) {
      const parsed = chatCompletionChunkSchema.safeParse(value)
      if (!parsed.success) return []
      if (parsed.data.usage) usage = readUsage(parsed.data.usage)
      const choice = parsed.data.choices?.[0]
      if (choice === undefined) return []
      finishReason = choice.finish_reason || finishReason
      const delta = choice.delta ?? {}
      if (delta.refusal) refused = true
      const content = splitContent(delta.content)
      const calls = delta.tool_calls ?? []
      return [
        ...reason((delta.reasoning_content ?? delta.reasoning ?? '') + content.thinking),
        ...say(withoutRepeated(content.text + (delta.refusal ?? ''))),
        // What was said is whole now, however long the arguments of the calls take.
        ...(calls.length > 0 ? [...closeReasoning(), ...closeMessage()] : []),
        ...calls.flatMap((call) => toolCalls.push(call)),
      ]
    },
    finish() {
      const drafts = [...closeReasoning(), ...closeMessage()]
      return { drafts, step: { text, refused, messageId, toolCalls: toolCalls.getCalls(), finishReason, usage } }
    },
  }
}

type Content = NonNullable<NonNullable<ChatCompletionChunk['choices']>[number]['delta']>['content']

function splitContent(content: Content): { text: string; thinking: string } {
  if (content == null) return { text: '', thinking: '' }
  if (typeof content === 'string') return { text: content, thinking: '' }
  const join = (parts: readonly (string | undefined)[]) => parts.join('')
  return {
    text: join(content.map((part) => part.text)),
    thinking: join(content.flatMap((part) => (part.thinking ?? []).map((thought) => thought.text))),
  }
}

function readUsage(usage: ChatUsage): Record<string, number> {
  const entries = {
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    totalTokens: usage.total_tokens,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens,
  }
  return Object.fromEntries(Object.entries(entries).filter((entry): entry is [string, number] => entry[1] != null))
}
