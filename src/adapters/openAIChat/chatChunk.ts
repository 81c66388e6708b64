import { isRecord } from '../../protocol/predicates.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import type { AdapterChunk } from '../support/adapterChunk.ts'

/** A piece of a tool call; whichever of its fields are there. */
export interface ChatToolCallDelta {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly name: string | undefined
  readonly arguments: string
}

/** What a chunk of the stream says, whoever sent it. */
export interface ChatDelta {
  /** An error that the service states in the stream. */
  readonly error?: unknown
  readonly usage?: unknown
  readonly text: string
  readonly reasoning: string
  readonly refusal: string
  /** Pieces of content that are no text, as they are. */
  readonly parts: readonly Readonly<Record<string, unknown>>[]
  readonly toolCalls: readonly ChatToolCallDelta[]
  readonly finishReason: string | undefined
}

const nothing: ChatDelta = {
  text: '',
  reasoning: '',
  refusal: '',
  parts: [],
  toolCalls: [],
  finishReason: undefined,
}

/**
 * Reads a chunk of OpenAI's and of what is compatible with it: almost everything may be missing or null, and what is
 * not known is passed over. Of several choices the first is read. By plain checks, as every word comes by here.
 *
 * @throws AgentTransportError `invalid_frame` where a field that is read is not what it should be.
 */
export function readChatChunk({ index, data }: AdapterChunk): ChatDelta {
  if (!isRecord(data)) throw invalid(index)
  if (data.error != null && data.error !== false) return { ...nothing, error: data.error }
  const usage = data.usage ?? readGroqUsage(data.x_groq)
  const choice = findChoice(data.choices, index)
  if (!choice) return { ...nothing, usage }
  if (choice.error != null) return { ...nothing, usage, error: choice.error }
  const delta = readOptional(choice.delta, isRecord, index) ?? {}
  const content = readContent(delta, index)
  return {
    usage,
    text: content.text,
    reasoning: (readText(delta.reasoning_content, index) ?? readText(delta.reasoning, index) ?? '') + content.thinking,
    refusal: readText(delta.refusal, index) ?? '',
    parts: content.parts,
    toolCalls: readToolCalls(delta, index),
    finishReason: readText(choice.finish_reason, index) || undefined,
  }
}

function findChoice(choices: unknown, chunk: number): Readonly<Record<string, unknown>> | undefined {
  const list = readOptional(choices, Array.isArray, chunk) ?? []
  const choice: unknown = list.find((entry) => !isRecord(entry) || (readIndex(entry.index) ?? 0) === 0)
  return choice === undefined ? undefined : readOptional(choice, isRecord, chunk)
}

/** Mistral sends its content as parts, its thinking among them; others send pictures beside it. */
function readContent(delta: Readonly<Record<string, unknown>>, chunk: number) {
  const { content, images } = delta
  const others = readRecords(images, chunk)
  if (content == null || typeof content === 'string') return { text: content ?? '', thinking: '', parts: others }
  const parts = readRecords(content, chunk)
  const join = (type: string, read: (part: Readonly<Record<string, unknown>>) => string) =>
    parts.map((part) => (part.type === type ? read(part) : '')).join('')
  return {
    text: join('text', (part) => readText(part.text, chunk) ?? ''),
    thinking: join('thinking', (part) => readThinking(part.thinking, chunk)),
    parts: [...parts.filter(({ type }) => type !== 'text' && type !== 'thinking'), ...others],
  }
}

function readThinking(thinking: unknown, chunk: number): string {
  if (typeof thinking === 'string') return thinking
  return readRecords(thinking, chunk)
    .map(({ text }) => readText(text, chunk) ?? '')
    .join('')
}

function readToolCalls(delta: Readonly<Record<string, unknown>>, chunk: number): ChatToolCallDelta[] {
  const calls = readRecords(delta.tool_calls, chunk).map((call) => ({
    index: readIndex(call.index),
    id: readText(call.id, chunk) || undefined,
    ...readFunction(call.function, chunk),
  }))
  // What came before tool calls: one function, without an id.
  if (delta.function_call != null) calls.push({ index: -1, id: undefined, ...readFunction(delta.function_call, chunk) })
  return calls
}

function readFunction(called: unknown, chunk: number): { name: string | undefined; arguments: string } {
  const { name, arguments: stated } = readOptional(called, isRecord, chunk) ?? {}
  // Some servers send whole arguments as the object that they are.
  const text = isRecord(stated) ? JSON.stringify(stated) : (readText(stated, chunk) ?? '')
  return { name: readText(name, chunk) || undefined, arguments: text }
}

const readGroqUsage = (stated: unknown): unknown => (isRecord(stated) ? stated.usage : undefined)

function readRecords(list: unknown, chunk: number): readonly Readonly<Record<string, unknown>>[] {
  const entries: readonly unknown[] = readOptional(list, Array.isArray, chunk) ?? []
  if (!entries.every(isRecord)) throw invalid(chunk)
  return entries
}

const readText = (value: unknown, chunk: number) => readOptional(value, isText, chunk)

const isText = (value: unknown): value is string => typeof value === 'string'

function readOptional<Value>(value: unknown, is: (value: unknown) => value is Value, chunk: number): Value | undefined {
  if (value === undefined || value === null) return undefined
  if (!is(value)) throw invalid(chunk)
  return value
}

function invalid(chunk: number): AgentTransportError {
  return new AgentTransportError(
    'invalid_frame',
    `openai-chat: chunk ${chunk} of the stream is no chat completion chunk.`,
  )
}

/** Some services write an index as text. */
function readIndex(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{1,6}$/.test(value)) return Number(value)
  return typeof value === 'number' ? value : undefined
}
