import type { AgentTransport, AgentTransportKind } from '../provider/agentTransport.ts'
import { followSignal } from '../provider/followSignal.ts'
import { AgentTransportError } from './agentTransportError.ts'
import { createPatience } from './createPatience.ts'
import type { AgentTransportTimers } from './agentTransportTimers.ts'
import { flattenBatches } from './flattenBatches.ts'
import { getFetch } from './getFetch.ts'
import { openHttpStream, type HttpStreamRequest } from './openHttpStream.ts'
import { makeRequest } from './makeRequest.ts'
import { nameWireError } from './nameWireError.ts'
import { parseMessages } from './parseMessages.ts'

const defaultMaxBufferSize = 4 * 1024 * 1024
const maxRetry = 60_000
const partSize = 256

/** What a stream is asked for with, and what its messages mean. */
export interface HttpStreamOptions<Request, Chunk, Message> {
  /** Makes the HTTP request; a promise where headers need time, such as a token that is refreshed. */
  request: (request: Request) => HttpStreamRequest | Promise<HttpStreamRequest>
  /** Makes a message's chunk; `undefined` skips it. What it throws ends the stream as `invalid_frame`. */
  parse: (message: Message, request: Request) => Chunk | undefined
  /** Says whether a chunk is the stream's last; with it, a stream that ends before such a chunk is `incomplete`. */
  isEnd?: ((chunk: Chunk) => boolean) | undefined
  /** Makes the HTTP request that takes the stream up after a cursor; without it the transport cannot resume. */
  resume?: ((request: Request, cursor: string) => HttpStreamRequest | Promise<HttpStreamRequest>) | undefined
  getCursor?: ((chunk: Chunk) => string | undefined) | undefined
  /**
   * Gets the headers of each connection's answer before its first message, such as an id to resume by.
   *
   * @experimental
   */
  onHeaders?: ((headers: Headers, request: Request) => void) | undefined
  kind?: AgentTransportKind | undefined
  /** Whose wire it is, which stands in its errors; the format's name by default. */
  adapter?: string | undefined
  fetch?: typeof fetch | undefined
  /** How long the server may be silent, comments counting as words, in milliseconds; 0, the default, is for ever, as `Infinity` is. */
  idleTimeout?: number | undefined
  /** The most characters that one line or message may take; 4 MiB by default. */
  maxBufferSize?: number | undefined
  timers?: AgentTransportTimers | undefined
  /** The clock, in milliseconds, that a `Retry-After` date is compared with. */
  now?: (() => number) | undefined
}

/** Takes a stream's bytes, cut anywhere. */
export interface StreamParser {
  feed(bytes: Uint8Array): void
  /** Told when the last byte has come; says whether nothing was cut off. */
  end?(): boolean
}

/** How the messages of a stream are told apart. */
export interface StreamFormat<Message> {
  readonly kind: AgentTransportKind
  readonly name: string
  /** What the answer's content type may be; the first one is asked for. */
  readonly mediaTypes: readonly [string, ...string[]]
  createParser(options: {
    onMessage: (message: Message) => void
    /** Gets what the server asks to wait before the next connection, in milliseconds. */
    onRetry: (delay: number) => void
    /** The most characters that a line or a message may take before it is complete. */
    maxBufferSize: number
    onOverflow: () => void
  }): StreamParser
}

/** Makes a transport of one HTTP answer that streams messages of a format. */
export function createHttpStreamTransport<Request, Chunk, Message>(
  options: HttpStreamOptions<Request, Chunk, Message>,
  format: StreamFormat<Message>,
): AgentTransport<Request, Chunk> {
  const { request, resume, getCursor, kind = format.kind } = options
  const connect = (
    input: Request,
    signal: AbortSignal,
    make: () => HttpStreamRequest | Promise<HttpStreamRequest>,
  ) => flattenBatches(readBatches(options, { format, input, signal, request: make }))
  return {
    kind,
    open: (input, signal) => connect(input, signal, () => request(input)),
    ...(getCursor && { getCursor }),
    ...(resume && {
      resume: (input: Request, cursor: string, signal: AbortSignal) =>
        connect(input, signal, () => resume(input, cursor)),
    }),
  }
}

async function* readBatches<Request, Chunk, Message>(
  options: HttpStreamOptions<Request, Chunk, Message>,
  connection: {
    format: StreamFormat<Message>
    input: Request
    signal: AbortSignal
    request: () => HttpStreamRequest | Promise<HttpStreamRequest>
  },
): AsyncGenerator<readonly Chunk[], void, undefined> {
  const { isEnd, idleTimeout = 0, maxBufferSize = defaultMaxBufferSize, timers, now = Date.now } = options
  const fetch = getFetch(options.fetch)
  const { format, input } = connection
  const { adapter = format.name } = options
  let taken = 0
  const { controller, release } = followSignal(connection.signal)
  const { signal } = controller
  const wait = createPatience({ signal, idleTimeout, timers })
  let retryAfter: number | undefined
  let overflown = false
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  let messages: Message[] = []
  const parser = format.createParser({
    maxBufferSize,
    onMessage: (message) => messages.push(message),
    onRetry: (delay) => (retryAfter = Math.min(delay, maxRetry)),
    onOverflow: () => (overflown = true),
  })
  try {
    signal.throwIfAborted()
    const body = await openHttpStream(await wait(makeRequest(connection.request)), {
      mediaTypes: format.mediaTypes,
      fetch,
      signal,
      wait,
      timers,
      now,
      onHeaders: (headers) => options.onHeaders?.(headers, input),
    })
    reader = body.getReader()
    let isWhole = true
    for (let isOver = false; !isOver; ) {
      const { done, value } = await readBytes(wait(reader.read()), { signal, getRetryAfter: () => retryAfter })
      isOver = done
      if (!done) parser.feed(value)
      else isWhole = parser.end?.() ?? true
      const ready = messages
      messages = []
      // Thousands of messages may come at once: who reads them gets them in parts, and pauses between these.
      for (let from = 0; from < ready.length; from += partSize) {
        const part = ready.slice(from, from + partSize)
        const { chunks, ended, failure } = parseMessages(part, options, { request: input, adapter, first: taken })
        taken += part.length
        if (chunks.length > 0) yield chunks
        if (failure) throw failure
        if (ended) return
      }
      if (overflown) {
        const message = `A message of the stream is longer than maxBufferSize, ${maxBufferSize} characters.`
        throw new AgentTransportError('buffer_overflow', message, { retryable: true, retryAfter })
      }
    }
    if (isEnd || !isWhole) {
      const message = 'The stream ended before the server said that it was over; reconnect.'
      throw new AgentTransportError('incomplete', message, { retryable: true, retryAfter })
    }
  } catch (error) {
    throw connection.signal.aborted ? error : nameWireError(error, { adapter, after: taken })
  } finally {
    release()
    // Ends what is still under way, whichever way the reading was left: the request, and the body behind the reader.
    controller.abort()
    reader?.cancel().catch(() => undefined)
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
