import { AgentTransportError } from './agentTransportError.ts'

/** Where a socket leads, and what is said first. */
export interface WebSocketRequest {
  url: string
  protocols?: string | readonly string[] | undefined
  /** Sent, in order, once the socket is open. */
  messages?: readonly (string | ArrayBuffer)[] | undefined
}

/** A socket's message: text, or bytes where it is binary. */
export interface SocketMessage {
  readonly data: string | ArrayBuffer
}

/** What of the browser's `WebSocket` is used, so that another one may stand in for it. */
export interface SocketLike {
  binaryType: string
  send(data: string | ArrayBuffer): void
  close(code?: number): void
  addEventListener(type: 'open' | 'message' | 'error' | 'close', listener: (event: never) => void): void
}

/** Makes sockets: the browser's `WebSocket`, or that of `ws` where the host has none. */
export type WebSocketConstructor = new (url: string, protocols?: string | string[]) => SocketLike

/** How a socket came to its end. */
export interface SocketEnd {
  code: number
  /** Whether it had been open at all. */
  isOpened: boolean
  error?: AgentTransportError
}

/** A socket that is read by whoever has time. */
export interface ReadableSocket {
  /** All messages that wait, once there is one, or that the socket was closed. */
  read(): Promise<{ messages: readonly SocketMessage[]; closed?: SocketEnd }>
  close(): void
}

/** How much may wait to be read, as a multiple of the longest message. */
const waitingFactor = 16

/** What a socket that was lost is closed with. */
const lostCode = 1006

/**
 * Opens a socket, and says what is to be said first.
 *
 * @throws AgentTransportError `request_failed` where the host has no WebSocket or does not take the address.
 */
export function openSocket(
  request: WebSocketRequest,
  options: { maxMessageSize: number; WebSocket: WebSocketConstructor | undefined },
): ReadableSocket {
  const { maxMessageSize } = options
  const socket = makeSocket(request, options.WebSocket)
  socket.binaryType = 'arraybuffer'
  let messages: SocketMessage[] = []
  let waitingSize = 0
  let closed: SocketEnd | undefined
  let wake: (() => void) | undefined
  let isOpened = false

  function end(reason: SocketEnd): void {
    closed ??= reason
    wake?.()
  }

  socket.addEventListener('open', () => {
    isOpened = true
    try {
      for (const message of request.messages ?? []) socket.send(message)
    } catch (cause) {
      const message = 'The socket does not take what is to be said first: messages are texts or ArrayBuffers.'
      end({ code: lostCode, isOpened, error: new AgentTransportError('request_failed', message, { cause }) })
    }
  })
  socket.addEventListener('message', ({ data }: { data: unknown }) => {
    if (closed) return
    const size = sizeOf(data)
    if (size === undefined) {
      const message =
        'The WebSocket gives bytes as what they cannot be read of at once, such as a Blob: give createWebSocketTransport ' +
        "one that keeps to binaryType 'arraybuffer'."
      return end({ code: lostCode, isOpened, error: new AgentTransportError('invalid_frame', message) })
    }
    waitingSize += size
    if (size > maxMessageSize || waitingSize > maxMessageSize * waitingFactor) {
      const message = `More than maxMessageSize, ${maxMessageSize} characters, came in one message or waits in ${waitingFactor}.`
      return end({ code: 1009, isOpened, error: new AgentTransportError('buffer_overflow', message, { retryable: true }) })
    }
    messages.push({ data: data as SocketMessage['data'] })
    wake?.()
  })
  // It says nothing of why, and what is open by then is over: some hosts tell no close of a socket that never opened.
  socket.addEventListener('error', () => end({ code: lostCode, isOpened }))
  socket.addEventListener('close', ({ code }: { code: number }) => end({ code, isOpened }))

  return {
    async read() {
      if (messages.length === 0 && !closed) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        wake = undefined
      }
      const waiting = messages
      messages = []
      waitingSize = 0
      return { messages: waiting, ...(closed && { closed }) }
    },
    close() {
      closed ??= { code: 1000, isOpened }
      socket.close(1000)
    },
  }
}

/** How long text or bytes are; nothing of anything else. */
function sizeOf(data: unknown): number | undefined {
  if (typeof data === 'string') return data.length
  const size = (data as Partial<ArrayBuffer> | null | undefined)?.byteLength
  return typeof size === 'number' ? size : undefined
}

function makeSocket({ url, protocols = [] }: WebSocketRequest, given: WebSocketConstructor | undefined): SocketLike {
  const Socket = given ?? (globalThis.WebSocket as WebSocketConstructor | undefined)
  if (!Socket) {
    const message = 'This host has no WebSocket; give createWebSocketTransport one, such as that of the package "ws".'
    throw new AgentTransportError('request_failed', message)
  }
  try {
    return new Socket(url, typeof protocols === 'string' ? protocols : [...protocols])
  } catch (cause) {
    const message = 'The socket could not be opened: its address or protocols are not valid.'
    throw new AgentTransportError('request_failed', message, { cause })
  }
}
