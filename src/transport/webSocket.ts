import type { AgentTransport, AgentTransportKind } from '../provider/agentTransport.ts'
import { followSignal } from '../provider/followSignal.ts'
import { AgentTransportError } from './agentTransportError.ts'
import { createPatience } from './createPatience.ts'
import type { AgentTransportTimers } from './agentTransportTimers.ts'
import { flattenBatches } from './flattenBatches.ts'
import { makeRequest } from './makeRequest.ts'
import { nameWireError } from './nameWireError.ts'
import { openSocket, type SocketEnd, type SocketMessage, type WebSocketConstructor, type WebSocketRequest } from './openSocket.ts'
import { parseMessages } from './parseMessages.ts'

const defaultMaxMessageSize = 4 * 1024 * 1024
const partSize = 256

/** What a socket is opened with, and what its messages mean. */
export interface WebSocketTransportOptions<Request, Chunk> {
  /** Makes the connection's request; a promise where it needs time, such as a token that is refreshed. */
  request: (request: Request) => WebSocketRequest | Promise<WebSocketRequest>
  /** Makes a message's chunk; `undefined` skips it. What it throws ends the stream as `invalid_frame`. */
  parse: (message: SocketMessage, request: Request) => Chunk | undefined
  /** Says whether a chunk is the stream's last; with it, a socket that closes before such a chunk is `incomplete`. */
  isEnd?: ((chunk: Chunk) => boolean) | undefined
  /** Makes the request that takes the stream up after a cursor; without it the transport cannot resume. */
  resume?: ((request: Request, cursor: string) => WebSocketRequest | Promise<WebSocketRequest>) | undefined
  getCursor?: ((chunk: Chunk) => string | undefined) | undefined
  /**
   * Says whether a socket that was closed with this code may be opened again; by default all but the codes of the
   * protocol's breach (1002, 1003, 1007 to 1010) and the app's own (3000 and up).
   */
  isRetryableClose?: ((code: number) => boolean) | undefined
  kind?: AgentTransportKind | undefined
  /** Whose wire it is, which stands in its errors; `websocket` by default. */
  adapter?: string | undefined
  WebSocket?: WebSocketConstructor | undefined
  /** How long the server may be silent, in milliseconds; 0, the default, is for ever. A socket's pings cannot be seen. */
  idleTimeout?: number | undefined
  /** The most characters or bytes that one message may take; 4 MiB by default. */
  maxMessageSize?: number | undefined
  timers?: AgentTransportTimers | undefined
}

/**
 * Makes a transport over a WebSocket a stream, with the guarantees of `createSseTransport`: its iteration ends where
 * the server closes the socket properly (1000, or no code), throws AgentTransportError where it is lost, and the signal's reason after an
 * abort, which closes the socket.
 *
 * @experimental
 * @example
 * const transport = createWebSocketTransport({
 *   request: async (body: object) => ({ url: await getUrl(), messages: [JSON.stringify(body)] }),
 *   parse: ({ data }) => JSON.parse(data as string) as unknown,
 *   isEnd: (chunk) => chunkSchema.parse(chunk).type === 'end',
 * })
 */
export function createWebSocketTransport<Request, Chunk>(
  options: WebSocketTransportOptions<Request, Chunk>,
): AgentTransport<Request, Chunk> {
  const { request, resume, getCursor, kind = 'websocket' } = options
  const connect = (input: Request, signal: AbortSignal, make: () => WebSocketRequest | Promise<WebSocketRequest>) =>
    flattenBatches(readBatches(options, { input, signal, request: make }))
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

async function* readBatches<Request, Chunk>(
  options: WebSocketTransportOptions<Request, Chunk>,
  connection: {
    input: Request
    signal: AbortSignal
    request: () => WebSocketRequest | Promise<WebSocketRequest>
  },
): AsyncGenerator<readonly Chunk[], void, undefined> {
  const { idleTimeout = 0, maxMessageSize = defaultMaxMessageSize, timers, isEnd, isRetryableClose } = options
  const { adapter = 'websocket' } = options
  let taken = 0
  const { controller, release } = followSignal(connection.signal)
  const { signal } = controller
  const wait = createPatience({ signal, idleTimeout, timers })
  let close: (() => void) | undefined
  try {
    signal.throwIfAborted()
    const request = await wait(makeRequest(connection.request))
    const socket = openSocket(request, { maxMessageSize, WebSocket: options.WebSocket })
    close = socket.close
    for (;;) {
      const { messages, closed } = await wait(socket.read())
      // Thousands of messages may wait at once: who reads them gets them in parts, and pauses between these.
      for (let from = 0; from < messages.length; from += partSize) {
        const part = messages.slice(from, from + partSize)
        const place = { request: connection.input, adapter, first: taken }
        const { chunks, ended, failure } = parseMessages(part, options, place)
        taken += part.length
        if (chunks.length > 0) yield chunks
        if (failure) throw failure
        if (ended) return
      }
      if (!closed) continue
      if (closed.error) throw closed.error
      if (isProper(closed) && !isEnd) return
      throw toCloseError(closed, isRetryableClose ?? isRetryable)
    }
  } catch (error) {
    throw connection.signal.aborted ? error : nameWireError(error, { adapter, after: taken })
  } finally {
    release()
    controller.abort()
    close?.()
  }
}

const isRetryable = (code: number) => code < 3000 && ![1002, 1003, 1007, 1008, 1009, 1010].includes(code)

// A server that closes without a code, as `close()` of most libraries does, is told of by 1005.
const isProper = ({ code }: SocketEnd) => code === 1000 || code === 1005

function toCloseError(end: SocketEnd, isRetryableClose: (code: number) => boolean): AgentTransportError {
  const { code, isOpened } = end
  if (isProper(end)) {
    const message = 'The socket was closed before the server said that it was over; reconnect.'
    return new AgentTransportError('incomplete', message, { retryable: true, status: code })
  }
  const retryable = isRetryableClose(code)
  if (!isOpened) {
    const message = `The socket could not be opened (${code}): nobody answers at its address, or it was refused there.`
    return new AgentTransportError('network', message, { retryable, status: code })
  }
  const advice = retryable ? 'reconnect' : 'see what the server means by that code'
  const message = `The socket was closed with code ${code}; ${advice}.`
  return new AgentTransportError('network', message, { retryable, status: code })
}
