import type { AgentTransport, AgentTransportKind } from '../provider/agentTransport.ts'
import { followSignal } from '../provider/followSignal.ts'
import { isThenable } from '../provider/isThenable.ts'
import { AgentTransportError } from './agentTransportError.ts'
import { createPatience, type AgentTransportTimers } from './createPatience.ts'
import { createSseParser, type SseMessage } from './createSseParser.ts'
import { flattenBatches } from './flattenBatches.ts'
import { openEventStream, type SseRequest } from './openEventStream.ts'

const defaultMaxBufferSize = 4 * 1024 * 1024
const maxRetry = 60_000
const partSize = 256

/** What an event stream is asked for with, and what its messages mean. */
export interface SseTransportOptions<Request, Chunk> {
  /** Makes the HTTP request; a promise where headers need time, such as a token that is refreshed. */
  request: (request: Request) => SseRequest | Promise<SseRequest>
  /** Makes a message's chunk; `undefined` skips it. What it throws ends the stream as `invalid_frame`. */
  parse: (message: SseMessage, request: Request) => Chunk | undefined
  /** Says whether a chunk is the stream's last; with it, a stream that ends before such a chunk is `incomplete`. */
  isEnd?: ((chunk: Chunk) => boolean) | undefined
  /** Makes the HTTP request that takes the stream up after a cursor; without it the transport cannot resume. */
  resume?: ((request: Request, cursor: string) => SseRequest | Promise<SseRequest>) | undefined
  getCursor?: ((chunk: Chunk) => string | undefined) | undefined
  /**
   * Gets the headers of each connection's answer before its first message, such as an id to resume by.
   *
   * @experimental
   */
  onHeaders?: ((headers: Headers, request: Request) => void) | undefined
  kind?: AgentTransportKind | undefined
  fetch?: typeof fetch | undefined
  /** How long the server may be silent, comments counting as words, in milliseconds; 0, the default, is for ever, as `Infinity` is. */
  idleTimeout?: number | undefined
  /** The most characters that one line or message may take; 4 MiB by default. */
  maxBufferSize?: number | undefined
  timers?: AgentTransportTimers | undefined
  /** The clock, in milliseconds, that a `Retry-After` date is compared with. */
  now?: (() => number) | undefined
}

/**
 * Makes a transport over server-sent events by `fetch`, so that it takes any method, body and headers. Its iteration
 * throws AgentTransportError, whose `retryable` and `retryAfter` say whether and when to try again, and the signal's
 * reason after an abort.
 *
 * @example
 * const transport = createSseTransport({
 *   request: async (body: object) => ({ url: '/chat', body: JSON.stringify(body), headers: await getHeaders() }),
 *   parse: ({ data }) => JSON.parse(data) as unknown,
 * })
 */
export function createSseTransport<Request, Chunk>(
  options: SseTransportOptions<Request, Chunk>,
): AgentTransport<Request, Chunk> {
  const { request, resume, getCursor, kind = 'sse' } = options
  return {
    kind,
    open: (input, signal) => flattenBatches(readBatches(options, { input, signal, request: () => request(input) })),
    ...(getCursor && { getCursor }),
    ...(resume && {
      resume: (input: Request, cursor: string, signal: AbortSignal) =>
        flattenBatches(readBatches(options, { input, signal, request: () => resume(input, cursor) })),
    }),
  }
}

async function* readBatches<Request, Chunk>(
  options: SseTransportOptions<Request, Chunk>,
  connection: { input: Request; signal: AbortSignal; request: () => SseRequest | Promise<SseRequest> },
): AsyncGenerator<readonly Chunk[], void, undefined> {
  const { isEnd, idleTimeout = 0, maxBufferSize = defaultMaxBufferSize, timers, now = Date.now } = options
  const fetch = options.fetch ?? ((...input: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...input))
  const { input } = connection
  const { controller, release } = followSignal(connection.signal)
  const { signal } = controller
  const wait = createPatience({ signal, idleTimeout, timers })
  let retryAfter: number | undefined
  let overflown = false
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  let messages: SseMessage[] = []
  const parser = createSseParser({
    maxBufferSize,
    onMessage: (message) => messages.push(message),
    onRetry: (delay) => (retryAfter = Math.min(delay, maxRetry)),
    onOverflow: () => (overflown = true),
  })
  try {
    signal.throwIfAborted()
    const body = await openEventStream(await wait(makeRequest(connection.request)), {
      fetch,
      signal,
      wait,
      timers,
      now,
      onHeaders: (headers) => options.onHeaders?.(headers, input),
    })
    reader = body.getReader()
    for (;;) {
      const { done, value } = await readBytes(wait(reader.read()), { signal, getRetryAfter: () => retryAfter })
      if (done) break
      parser.feed(value)
      const ready = messages
      messages = []
      // Thousands of messages may come at once: who reads them gets them in parts, and pauses between these.
      for (let from = 0; from < ready.length; from += partSize) {
        const { chunks, ended, failure } = parseMessages(ready.slice(from, from + partSize), options, input)
        if (chunks.length > 0) yield chunks
        if (failure) throw failure
        if (ended) return
      }
      if (overflown) {
        const message = `A message of the stream is longer than maxBufferSize, ${maxBufferSize} characters.`
        throw new AgentTransportError('buffer_overflow', message, { retryable: true, retryAfter })
      }
    }
    if (isEnd) {
      const message = 'The stream ended before the server said that it was over; reconnect.'
      throw new AgentTransportError('incomplete', message, { retryable: true, retryAfter })
    }
  } finally {
    release()
    // Ends what is still under way, whichever way the reading was left: the request, and the body behind the reader.
    controller.abort()
    reader?.cancel().catch(() => undefined)
  }
}

/** Asks the app for the request; what it throws, a token that could not be refreshed, may pass. */
async function makeRequest(request: () => SseRequest | Promise<SseRequest>): Promise<SseRequest> {
  try {
    return await request()
  } catch (cause) {
    if (cause instanceof AgentTransportError) throw cause
    const message = 'The request of the stream could not be made; see the cause, such as a token that was refused.'
    throw new AgentTransportError('request_failed', message, { retryable: true, cause })
  }
}

async function readBytes<Result>(
  reading: Promise<Result>,
  options: { signal: AbortSignal; getRetryAfter: () => number | undefined },
): Promise<Result> {
  try {
    return await reading
  } catch (error) {
    if (options.signal.aborted || error instanceof AgentTransportError) throw error
    const message = 'The connection was lost while the stream was read; reconnect.'
    throw new AgentTransportError('network', message, {
      retryable: true,
      retryAfter: options.getRetryAfter(),
      cause: error,
    })
  }
}

/** Makes the chunks of what has arrived, up to the stream's last one, or to the message that is not understood. */
function parseMessages<Request, Chunk>(
  messages: readonly SseMessage[],
  { parse, isEnd }: SseTransportOptions<Request, Chunk>,
  request: Request,
): { chunks: Chunk[]; ended?: boolean; failure?: AgentTransportError } {
  const chunks: Chunk[] = []
  for (let index = 0; index < messages.length; index += 1) {
    let chunk: Chunk | undefined
    try {
      chunk = parse(messages[index]!, request)
      if (isThenable(chunk)) throw asynchronous('parse')
    } catch (error) {
      return { chunks, failure: toInvalidFrame(error) }
    }
    if (chunk === undefined) continue
    chunks.push(chunk)
    const end = isEnd?.(chunk)
    if (isThenable(end)) return { chunks, failure: toInvalidFrame(asynchronous('isEnd')) }
    if (end) return { chunks, ended: true }
  }
  return { chunks }
}

function asynchronous(name: string): TypeError {
  return new TypeError(`${name} of the transport returned a promise; it must answer at once.`)
}

function toInvalidFrame(error: unknown): AgentTransportError {
  if (error instanceof AgentTransportError) return error
  // A SyntaxError of JSON.parse quotes what it could not read, so it is not kept as the cause.
  const cause = error instanceof SyntaxError ? undefined : error
  return new AgentTransportError('invalid_frame', 'A message of the stream could not be understood.', { cause })
}
