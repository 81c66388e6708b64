import { isRecord } from '../../protocol/predicates.ts'
import type { AgentTransportError } from '../../transport/agentTransportError.ts'
import { createFrameError } from '../../transport/createFrameError.ts'
import type { AdapterChunk } from '../support/adapterChunk.ts'
import { openAIChatAdapter as adapter } from './openAIChatAdapter.ts'

/** A piece of a tool call; whichever of its fields are there. */
export interface ChatToolCallDelta {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly name: string | undefined
  readonly arguments: string
  /** Whether its arguments are text for the tool, not JSON. */
  readonly isCustom: boolean
  /** Its place in its chunk's list. */
  readonly place: number
}

/** What an answer is made of: a piece of it, or all of it. */
export interface ChatContent {
  readonly text: string
  readonly reasoning: string
  readonly refusal: string
  /** Pieces of content that are no text, as they are. */
  readonly parts: readonly Readonly<Record<string, unknown>>[]
  readonly toolCalls: readonly ChatToolCallDelta[]
}

/** What a chunk of the stream says, whoever sent it. */
export interface ChatDelta extends ChatContent {
  /** An error that the service states in the stream. */
  readonly error?: unknown
  readonly usage?: unknown
  /** What stands in place of a delta, or beside it: a piece, or the whole answer so far. */
  readonly message?: ChatContent | undefined
  readonly finishReason: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

const nothing: ChatDelta = { text: '', reasoning: '', refusal: '', parts: [], toolCalls: [], finishReason: undefined }

/**
 * Reads a chunk of OpenAI's and of what is compatible with it: almost everything may be missing or null, and what is
 * not known is passed over. Of several choices the first is read. By plain checks, as every word comes by here.
 *
 * @throws AgentTransportError `invalid_frame` where a field that is read is not what it should be.
 */
export function readChatChunk({ index, data, event }: AdapterChunk): ChatDelta {
  if (!isRecord(data)) throw invalid(index)
  const error = readError(data, event)
  if (error !== undefined) return { ...nothing, error }
  const usage = data.usage ?? readGroqUsage(data.x_groq)
  const choice = findChoice(data.choices, index)
  if (!choice) return { ...nothing, usage }
  if (isStated(choice.error)) return { ...nothing, usage, error: choice.error }
  const message = readOptional(choice.message, isRecord, index)
  return {
    usage,
    ...readAnswer(readOptional(choice.delta, isRecord, index) ?? {}, index),
    ...(message && { message: readAnswer(message, index) }),
    finishReason: readText(choice.finish_reason, index) || undefined,
  }
}

/** Services state an error as a field, as the kind of the chunk, or as the kind of the event that brings it. */
function readError(data: Fields, event: string): unknown {
  if (isStated(data.error)) return data.error
  return data.object === 'error' || data.type === 'error' || event === 'error' ? data : undefined
}

/** Some services write an error that there is not. */
const isStated = (error: unknown) => error !== undefined && error !== null && error !== false && error !== ''

function findChoice(choices: unknown, chunk: number): Fields | undefined {
  const list = readOptional(choices, Array.isArray, chunk) ?? []
  const choice: unknown = list.find((entry) => !isRecord(entry) || (readIndex(entry.index) ?? 0) === 0)
  return choice === undefined ? undefined : readOptional(choice, isRecord, chunk)
}

function readAnswer(stated: Fields, chunk: number): ChatContent {
  const content = readContent(stated, chunk)
  return {
    text: content.text,
    reasoning: readReasoning(stated, chunk) + content.thinking,
    refusal: readText(stated.refusal, chunk) ?? '',
    parts: content.parts,
    toolCalls: readToolCalls(stated, chunk),
  }
}

/** Services that send their reasoning under several names send it several times: one of them is read. */
function readReasoning({ reasoning_content: content, reasoning, reasoning_details: details }: Fields, chunk: number) {
  return readThinking(content, chunk) || readThinking(reasoning, chunk) || readThinking(details, chunk)
}

/** Mistral sends its content as parts, its thinking among them; others send pictures beside it. */
function readContent(delta: Fields, chunk: number) {
  const { content, images } = delta
  const others = readRecords(images, chunk)
  if (content == null || typeof content === 'string') return { text: content ?? '', thinking: '', parts: others }
  const parts = readRecords(content, chunk)
  const join = (type: string, read: (part: Fields) => string) =>
    parts.map((part) => (part.type === type ? read(part) : '')).join('')
  return {
    text: join('text', (part) => readText(part.text, chunk) ?? ''),
    thinking: join('thinking', (part) => readThinking(part.thinking, chunk)),
    parts: [...parts.filter(({ type }) => type !== 'text' && type !== 'thinking'), ...others],
  }
}

/** Thinking is text, or pieces of it: what is encrypted among them has none. */
function readThinking(thinking: unknown, chunk: number): string {
  if (typeof thinking === 'string') return thinking
  return readRecords(thinking, chunk)
    .map(({ text, summary, content }) => [text, summary, content].find(isText) ?? '')
    .join('')
}

function readToolCalls(delta: Fields, chunk: number): ChatToolCallDelta[] {
  const calls = readRecords(delta.tool_calls, chunk).map((call, place) => ({
    index: readIndex(call.index),
    id: readText(call.id, chunk) || undefined,
    place,
    ...readCalled(call, chunk),
  }))
  if (delta.function_call == null) return calls
  // What came before tool calls: one function, without an id.
  return [...calls, { index: -1, id: undefined, place: 0, ...readFunction(delta.function_call, chunk) }]
}

type Called = Pick<ChatToolCallDelta, 'name' | 'arguments' | 'isCustom'>

function readCalled({ function: called, custom }: Fields, chunk: number): Called {
  if (custom == null) return readFunction(called, chunk)
  const { name, input } = readOptional(custom, isRecord, chunk) ?? {}
  return { name: readText(name, chunk) || undefined, arguments: readText(input, chunk) ?? '', isCustom: true }
}

function readFunction(called: unknown, chunk: number): Called {
  const { name, arguments: stated } = readOptional(called, isRecord, chunk) ?? {}
  // Some servers send whole arguments as the object that they are.
  const isWhole = isRecord(stated) || Array.isArray(stated)
  const text = isWhole ? JSON.stringify(stated) : (readText(stated, chunk) ?? '')
  return { name: readText(name, chunk) || undefined, arguments: text, isCustom: false }
}

const readGroqUsage = (stated: unknown): unknown => (isRecord(stated) ? stated.usage : undefined)

/** A list; some services send its one entry alone. */
function readRecords(list: unknown, chunk: number): readonly Fields[] {
  if (isRecord(list)) return [list]
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
  return createFrameError({ adapter, chunk }, 'is no chat completion chunk')
}

/** Some services write an index as text. */
function readIndex(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{1,6}$/.test(value)) return Number(value)
  return typeof value === 'number' ? value : undefined
}
