import {
  createAgentEventFactory,
  createNdjsonTransport,
  createSseTransport,
  createWebSocketTransport,
  describeError,
  type AgentEventFactory,
  type AgentProvider,
  type AgentTransport,
  type AnyAgentProvider,
  type WebSocketConstructor,
} from 'redux-agent'
import { createAgUiProvider } from 'redux-agent/adapters/ag-ui'
import { createAiSdkProvider } from 'redux-agent/adapters/ai-sdk'
import { createOpenAIChatProvider } from 'redux-agent/adapters/openai-chat'
import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { readRecordings } from './openAI/readRecordings.ts'
import { called, finished, said, started } from './agUi/runAgUi.ts'
import { toolResult } from './agUi/playAgUi.ts'

/** How a stream ends: as it should, as if it were over, in the middle of what comes next, or by an error. */
export type StreamEnd = 'clean' | 'mid-frame' | 'error'

/** One way to an agent, in the hands of a test. */
export interface FaultyWire {
  readonly name: string
  readonly recordings: readonly { readonly name: string; readonly frames: readonly string[] }[]
  /** A provider whose server sends these frames. */
  serve(frames: readonly string[], end?: StreamEnd, pieceSize?: number): AnyAgentProvider
  /** A provider whose server answers so; absent where the wire is no HTTP. */
  answer?(response: () => Response): AnyAgentProvider
  readonly unknown: string
  /** Frames that are none, each with a secret. */
  readonly malformed: readonly string[]
  /** Whether what comes twice is told apart from what is said twice. */
  readonly isNumbered: boolean
}

export const secret = 'SECRET-WORDS'

const sse = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
const line = (data: unknown) => `${typeof data === 'string' ? data : JSON.stringify(data)}\n`

/** A body that is delivered in pieces, and ends as it is told. */
function respond(frames: readonly string[], end: StreamEnd, type: string, pieceSize = Infinity): Response {
  const cut = end === 'mid-frame' ? 'data: {"type":"te' : ''
  const bytes = new TextEncoder().encode(frames.join('') + cut)
  let sent = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent < bytes.length) {
          controller.enqueue(bytes.slice(sent, sent + pieceSize))
          sent += pieceSize
        } else if (end === 'error') controller.error(new TypeError(secret))
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'content-type': type } })
}

function createHttpWire(
  wire: Pick<FaultyWire, 'name' | 'recordings' | 'unknown' | 'malformed' | 'isNumbered'>,
  make: (fetch: typeof globalThis.fetch) => AnyAgentProvider,
  type = 'text/event-stream',
): FaultyWire {
  return {
    ...wire,
    serve: (frames, end = 'clean', pieceSize = Infinity) => make(async () => respond(frames, end, type, pieceSize)),
    answer: (response) => make(async () => response()),
  }
}

/** A provider of what a transport brings: chat completion chunks, and a word that nothing more comes. */
function createPlainProvider(transport: AgentTransport<object, unknown>): AnyAgentProvider {
  const provider: AgentProvider<object, object, unknown, { events: AgentEventFactory }> = {
    id: 'plain',
    protocol: { name: 'agent-event', version: '0.1' },
    capabilities: {
      eventTypes: ['run.started', 'message.started', 'message.delta', 'message.completed', 'run.completed', 'run.failed'],
      transports: [transport.kind],
    },
    transport,
    createContext: (context) => context,
    start: (_input, { events }) => [
      events.create('run.started', {}),
      events.create('message.started', { messageId: 'm', role: 'assistant' }),
    ],
    prepareRequest: () => ({}),
    transformChunk(chunk, { events }) {
      const { end, text } = chunk as { end?: boolean; text?: string }
      if (end) return [events.create('message.completed', { messageId: 'm' }), events.create('run.completed', {})]
      return text ? [events.create('message.delta', { messageId: 'm', delta: text })] : []
    },
    flush: () => [],
    transformError: (error, { events }) => [
      events.create('message.completed', { messageId: 'm' }),
      events.create('run.failed', { error: describeError(error) }),
    ],
  }
  return provider
}

const parsePlain = (value: unknown) => {
  const { end, choices = [] } = value as { end?: boolean; choices?: { delta: { content?: string } }[] }
  if (end) return { end }
  return { text: choices[0]?.delta.content }
}
const isPlainEnd = (chunk: unknown) => (chunk as { end?: boolean }).end === true
const plain = { parse: parsePlain, isEnd: isPlainEnd }
// The longest of them tells a transport nothing that the others do not.
const plainRecordings = (frame: (data: unknown) => string) =>
  readRecordings('openai-chat')
    .filter(({ chunks }) => chunks.length < 300)
    .map(({ name, chunks }) => ({ name, frames: [...chunks, { end: true }].map(frame) }))
const malformedPlain = (frame: (data: unknown) => string) => [frame(`{"a": ${secret}`), frame('null'), frame({ choices: [secret] })]

/** A socket that brings its messages once it is asked to, and is closed as it is told. */
function createSocketClass(frames: readonly string[], end: StreamEnd): WebSocketConstructor {
  return function FakeSocket() {
    const listeners = new Map<string, (event: never) => void>()
    const fire = (type: string, event: object = {}) => listeners.get(type)?.(event as never)
    queueMicrotask(() => {
      fire('open')
      for (const data of frames) fire('message', { data })
      fire('close', { code: end === 'clean' ? 1000 : 1006 })
    })
    return {
      binaryType: 'blob',
      send: () => undefined,
      close: () => undefined,
      addEventListener: (type: string, listener: (event: never) => void) => void listeners.set(type, listener),
    }
  } as unknown as WebSocketConstructor
}

/** The parts of a recording that are one response each. */
function splitResponses(): FaultyWire['recordings'] {
  return readRecordings('openai-responses').flatMap(({ name, chunks }) => {
    const starts = chunks.flatMap(({ type }, index) => (type === 'response.created' ? [index] : []))
    return starts.map((start, part) => ({ name: `${name} ${part}`, frames: chunks.slice(start, starts[part + 1]).map(sse) }))
  })
}

const aiSdkChunks = [
  { type: 'start', messageId: 'm' },
  { type: 'start-step' },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
  { type: 'reasoning-end', id: 'r' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Hello, ' },
  { type: 'text-delta', id: 't', delta: '世界 😀' },
  { type: 'text-end', id: 't' },
  { type: 'tool-input-start', toolCallId: 'c', toolName: 'look' },
  { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"a":1}' },
  { type: 'tool-input-available', toolCallId: 'c', toolName: 'look', input: { a: 1 } },
  { type: 'tool-output-available', toolCallId: 'c', output: 'ok' },
  { type: 'data-x', id: 'd', data: 1 },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'stop' },
]
const aiSdkMoreChunks = [
  { type: 'start', messageId: 'm', messageMetadata: { a: 1 } },
  { type: 'start-step' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Hello' },
  { type: 'text-end', id: 't' },
  { type: 'tool-input-available', toolCallId: 'c', toolName: 'look', input: { a: 1 } },
  { type: 'tool-output-available', toolCallId: 'c', output: 1, preliminary: true },
  { type: 'tool-output-available', toolCallId: 'c', output: 2 },
  { type: 'tool-input-available', toolCallId: 'd', toolName: 'deploy', input: {} },
  { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'd', isAutomatic: true },
  { type: 'tool-approval-response', approvalId: 'a', approved: false, reason: 'By rule.' },
  { type: 'tool-output-denied', toolCallId: 'd' },
  { type: 'tool-input-error', toolCallId: 'e', toolName: 'look', input: {}, errorText: 'No.' },
  { type: 'tool-input-start', toolCallId: 'f', toolName: 'look' },
  { type: 'tool-output-error', toolCallId: 'f', errorText: 'No.' },
  { type: 'source-url', sourceId: 's', url: 'https://example.com' },
  { type: 'file', url: 'data:text/plain;base64,aGk=', mediaType: 'text/plain' },
  { type: 'custom', kind: 'own.thing' },
  { type: 'data-x', id: 'd', data: 1 },
  { type: 'data-x', id: 'd', data: 2 },
  { type: 'finish-step' },
  { type: 'start-step' },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
  { type: 'reset-step' },
  { type: 'steering-message', id: 'u', parts: [{ type: 'text', text: 'Go on' }] },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: ' again.' },
  { type: 'text-end', id: 't' },
  { type: 'message-metadata', messageMetadata: { b: 2 } },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'stop', messageMetadata: { c: 3 } },
]
const agUiChunks = [
  started(),
  { type: 'STATE_SNAPSHOT', snapshot: { n: 1 } },
  { type: 'STEP_STARTED', stepName: 'think' },
  { type: 'REASONING_MESSAGE_START', messageId: 'x' },
  { type: 'REASONING_MESSAGE_CONTENT', messageId: 'x', delta: 'Hm.' },
  { type: 'REASONING_MESSAGE_END', messageId: 'x' },
  ...said('m1', 'Hello, ', '世界 😀'),
  ...called('t1', 'search'),
  toolResult('t1'),
  { type: 'STEP_FINISHED', stepName: 'think' },
  finished(),
]
const agUiMoreChunks = [
  started(),
  { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'Scout' },
  { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'Hello, ', subagentRunId: 's' },
  { type: 'TEXT_MESSAGE_CHUNK', delta: '世界', subagentRunId: 's' },
  { type: 'TOOL_CALL_CHUNK', toolCallId: 't1', toolCallName: 'look', delta: '{"a":' },
  { type: 'TOOL_CALL_CHUNK', delta: '1}' },
  { type: 'REASONING_MESSAGE_CHUNK', messageId: 'x', delta: 'Hm.' },
  { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'x', encryptedValue: 'gAAA' },
  { type: 'THINKING_TEXT_MESSAGE_START' },
  { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'So.' },
  { type: 'THINKING_TEXT_MESSAGE_END' },
  toolResult('t1'),
  { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'PLAN', content: { at: 1 } },
  { type: 'ACTIVITY_DELTA', messageId: 'a', activityType: 'PLAN', patch: [{ op: 'replace', path: '/at', value: 2 }] },
  { type: 'STATE_SNAPSHOT', snapshot: { n: 1 } },
  { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/n', value: 2 }] },
  { type: 'SUBAGENT_FINISHED', subagentRunId: 's', result: 1 },
  { type: 'CUSTOM', name: 'own', value: 1 },
  {
    type: 'MESSAGES_SNAPSHOT',
    messages: [
      { id: 'u', role: 'user', content: 'Hi' },
      { id: 'm1', role: 'assistant', content: 'Hello, 世界' },
      { id: 'm2', role: 'assistant', toolCalls: [{ id: 't2', type: 'function', function: { name: 'look', arguments: '{}' } }] },
      { id: 'm3', role: 'tool', toolCallId: 't2', content: 'ok' },
    ],
  },
  finished(),
]
const events = createAgentEventFactory({ sessionId: 's1', runId: 'r1', now: () => 1000, initialSequence: 0 })
const runServerFrames = [
  'event: run-start\ndata: {"runId":"r1","seq":1,"assistantMessageId":"m"}\n\n',
  ...[
    events.create('run.started', {}),
    events.create('message.started', { messageId: 'm', role: 'assistant' }),
    events.create('message.delta', { messageId: 'm', delta: 'Hello, ' }),
    events.create('message.delta', { messageId: 'm', delta: '世界 😀' }),
    events.create('message.completed', { messageId: 'm' }),
    events.create('run.completed', {}),
  ].map((event) => `id: ${event.sequence}\n${sse({ runId: 'r1', seq: event.sequence, event, createdAt: 1 })}`),
  'event: end\ndata: {"runId":"r1","seq":6}\n\n',
]

const noJson = sse(`{"type": ${secret}`)

/** All ways to an agent that the package has. */
export const faultyWires: readonly FaultyWire[] = [
  createHttpWire(
    {
      name: 'openai-chat',
      recordings: readRecordings('openai-chat').map(({ name, chunks }) => ({ name, frames: chunks.map(sse) })),
      unknown: sse({ object: 'weather', choices: [], words: 1 }),
      malformed: [noJson, sse([secret]), sse({ choices: secret }), sse({ choices: [{ delta: { content: 7, secret } }] })],
      isNumbered: false,
    },
    (fetch) => createOpenAIChatProvider({ fetch }),
  ),
  createHttpWire(
    {
      name: 'openai-responses',
      recordings: splitResponses(),
      unknown: sse({ type: 'response.hologram.delta', delta: 'words' }),
      malformed: [noJson, sse([secret]), sse({ type: 'response.output_item.added', item: secret })],
      isNumbered: true,
    },
    (fetch) => createOpenAIResponsesProvider({ fetch }),
  ),
  createHttpWire(
    {
      name: 'ai-sdk',
      recordings: [
        { name: 'own', frames: aiSdkChunks.map(sse) },
        { name: 'own, more', frames: aiSdkMoreChunks.map(sse) },
      ],
      unknown: sse({ type: 'hologram', words: 1 }),
      malformed: [noJson, sse([secret]), sse({ type: 'text-delta', id: 1, delta: secret })],
      isNumbered: false,
    },
    (fetch) => createAiSdkProvider({ fetch }),
  ),
  createHttpWire(
    {
      name: 'ag-ui',
      recordings: [
        { name: 'own', frames: agUiChunks.map(sse) },
        { name: 'own, more', frames: agUiMoreChunks.map(sse) },
      ],
      unknown: sse({ type: 'HOLOGRAM', words: 1 }),
      malformed: [noJson, sse([secret]), sse({ type: 'TEXT_MESSAGE_CONTENT', messageId: 1, delta: secret })],
      isNumbered: false,
    },
    (fetch) => createAgUiProvider({ fetch, url: '/agent' }),
  ),
  createHttpWire(
    {
      name: 'run-server',
      recordings: [{ name: 'own', frames: runServerFrames }],
      unknown: 'event: weather\ndata: {"words":1}\n\n',
      malformed: [noJson, sse([secret]), sse({ runId: 'r1', seq: 1, createdAt: 1, event: { sequence: 2, secret } })],
      isNumbered: true,
    },
    (fetch) => createRunServerProvider({ fetch, createMessageId: () => 'm' }),
  ),
  createHttpWire(
    { name: 'sse', recordings: plainRecordings(sse), unknown: sse({}), malformed: malformedPlain(sse), isNumbered: false },
    (fetch) =>
      createPlainProvider(
        createSseTransport({ ...plain, fetch, request: () => ({ url: '/' }), parse: ({ data }) => parsePlain(JSON.parse(data)) }),
      ),
  ),
  createHttpWire(
    {
      name: 'ndjson',
      recordings: plainRecordings(line),
      unknown: line({}),
      malformed: malformedPlain(line),
      isNumbered: false,
    },
    (fetch) => createPlainProvider(createNdjsonTransport({ ...plain, fetch, request: () => ({ url: '/' }) })),
    'application/x-ndjson',
  ),
  {
    name: 'websocket',
    recordings: plainRecordings(line),
    unknown: line({}),
    malformed: malformedPlain(line),
    isNumbered: false,
    serve: (frames, end = 'clean') =>
      createPlainProvider(
        createWebSocketTransport({
          ...plain,
          request: () => ({ url: 'ws://example.com' }),
          parse: ({ data }) => parsePlain(JSON.parse(data as string)),
          WebSocket: createSocketClass(frames, end),
        }),
      ),
  },
]
