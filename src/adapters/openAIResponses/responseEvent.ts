import { isRecord } from '../../protocol/predicates.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { createFrameError } from '../../transport/createFrameError.ts'
import type { AdapterChunk } from '../support/adapterChunk.ts'
import { openAIResponsesAdapter as adapter } from './openAIResponsesAdapter.ts'
import type { Stretch } from './createReasoningItems.ts'
import { readIndex, readText, type WireFields } from './responseFields.ts'

/** What an event of the stream means; several of the wire's types mean the same. */
export type ResponseWireEvent = {
  readonly fields: WireFields
  /** Its `sequence_number`, where it has one. */
  readonly number: number | undefined
} & (
  | { readonly kind: 'created'; readonly response: WireFields; readonly status: 'queued' | 'in_progress' | undefined }
  | {
      readonly kind: 'settled'
      readonly response: WireFields
      readonly status: 'completed' | 'incomplete' | 'failed' | 'cancelled'
    }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'item_begun' | 'item_done' | 'running' | 'other' }
  | { readonly kind: 'text'; readonly delta: string; readonly isRefusal: boolean }
  | { readonly kind: 'text_done'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly stretch: Stretch; readonly delta: string }
  | { readonly kind: 'reasoning_done'; readonly stretch: Stretch; readonly text: string }
  | { readonly kind: 'arguments'; readonly delta: string }
  | { readonly kind: 'image'; readonly data: string }
)

type Meaning = ResponseWireEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'fields' | 'number'>
    : never
  : never

/**
 * Whether a chunk is the stream's last: what comes after it is about nothing any more.
 *
 * @throws AgentTransportError `incomplete` where the service says so before it has told how the response ends.
 */
export function isLastResponseChunk({ data, isDone }: AdapterChunk): boolean {
  if (isDone) {
    const message = 'The stream was closed before the service said how the response ends; reconnect.'
    throw new AgentTransportError('incomplete', message, { retryable: true })
  }
  if (!isRecord(data)) return false
  const { type, error } = data
  if (type === undefined) return error != null
  return type === 'error' || (typeof type === 'string' && endings.has(type))
}

const endings: ReadonlySet<string> = new Set(
  ['completed', 'incomplete', 'failed', 'cancelled'].map((status) => `response.${status}`),
)

/**
 * Reads one event of a response's stream; types that are not known mean nothing. By plain checks, as every word comes
 * by here.
 *
 * @throws AgentTransportError `invalid_frame` where it is none, or lacks what its type must have.
 */
export function readResponseEvent({ index, data }: AdapterChunk): ResponseWireEvent {
  if (!isRecord(data)) throw invalid(index)
  const { type, error } = data
  const meaning = type === undefined && error != null ? ({ kind: 'error', error } as const) : readMeaning(data, index)
  return { ...meaning, fields: data, number: readNumber(data.sequence_number) }
}

/** Sequences are made of it, which must stay numbers that can be counted. */
function readNumber(value: unknown): number | undefined {
  const number = readIndex(value)
  return number !== undefined && number < 2 ** 40 ? number : undefined
}

function readMeaning(data: WireFields, chunk: number): Meaning {
  const { type } = data
  const text = (field: string) => requireText(data[field], chunk)
  const stretch = (kind: 'summary' | 'text', field: string): Stretch => `${kind}:${readIndex(data[field]) ?? 0}`
  switch (type) {
    case 'response.output_text.delta':
      return { kind: 'text', delta: text('delta'), isRefusal: false }
    case 'response.refusal.delta':
      return { kind: 'text', delta: text('delta'), isRefusal: true }
    case 'response.output_text.done':
      return { kind: 'text_done', text: text('text') }
    case 'response.refusal.done':
      return { kind: 'text_done', text: text('refusal') }
    case 'response.reasoning_summary_text.delta':
      return { kind: 'reasoning', stretch: stretch('summary', 'summary_index'), delta: text('delta') }
    case 'response.reasoning_summary_text.done':
      return { kind: 'reasoning_done', stretch: stretch('summary', 'summary_index'), text: text('text') }
    case 'response.reasoning_text.delta':
      return { kind: 'reasoning', stretch: stretch('text', 'content_index'), delta: text('delta') }
    case 'response.reasoning_text.done':
      return { kind: 'reasoning_done', stretch: stretch('text', 'content_index'), text: text('text') }
    case 'response.function_call_arguments.delta':
    case 'response.mcp_call_arguments.delta':
    case 'response.custom_tool_call_input.delta':
    case 'response.code_interpreter_call_code.delta':
      return { kind: 'arguments', delta: text('delta') }
    case 'response.image_generation_call.partial_image':
      return { kind: 'image', data: text('partial_image_b64') }
    case 'response.output_item.added':
      assertItem(data.item, chunk)
      return { kind: 'item_begun' }
    case 'response.output_item.done':
      assertItem(data.item, chunk)
      return { kind: 'item_done' }
    case 'error':
      // Either the error itself, or what holds it.
      return { kind: 'error', error: isRecord(data.error) ? data.error : { code: data.code } }
    default:
      return readProgress(data, chunk)
  }
}

function readProgress(data: WireFields, chunk: number): Meaning {
  const type = readText(data.type) ?? ''
  const [, name = '', step = ''] = /^response\.(?:(\w+)\.)?(\w+)$/.exec(type) ?? []
  if (name !== '') return { kind: runningSteps.has(step) ? 'running' : 'other' }
  const response = isRecord(data.response) ? data.response : undefined
  switch (step) {
    case 'created':
      return { kind: 'created', response: response ?? {}, status: undefined }
    case 'queued':
    case 'in_progress':
      return { kind: 'created', response: response ?? {}, status: step }
    case 'completed':
    case 'incomplete':
    case 'failed':
    case 'cancelled': {
      if (!response) throw invalid(chunk)
      // The response's own word goes before the event's: a cancelled one may come as any of them.
      return { kind: 'settled', response, status: response.status === 'cancelled' ? 'cancelled' : step }
    }
    default:
      return { kind: 'other' }
  }
}

const runningSteps: ReadonlySet<string> = new Set(['in_progress', 'searching', 'interpreting', 'generating', 'calling'])

function requireText(value: unknown, chunk: number): string {
  if (typeof value !== 'string') throw invalid(chunk)
  return value
}

function assertItem(value: unknown, chunk: number): void {
  if (!isRecord(value)) throw invalid(chunk)
}

function invalid(chunk: number): AgentTransportError {
  return createFrameError({ adapter, chunk }, 'is no event of a response')
}
