import type { AddressInfo } from 'node:net'
import {
  createWebSocketTransport,
  type SocketLike,
  type SocketMessage,
  type WebSocketConstructor,
  type WebSocketTransportOptions,
} from 'redux-agent'
import { createGate } from 'redux-agent/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket as NodeWebSocket, WebSocketServer, type WebSocket as ServerSocket } from 'ws'
import { eventually } from '../support/eventually.ts'
import { readAll } from './readSse.ts'

const servers: WebSocketServer[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate()
    server.close()
  }
})

type Options = WebSocketTransportOptions<string, unknown>
const parse: Options['parse'] = ({ data }) => JSON.parse(data as string) as unknown

/** A real server, and a transport to it. */
async function serve(onConnection: (socket: ServerSocket, url: string) => void, options: Partial<Options> = {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  servers.push(server)
  server.on('connection', (socket, { url }) => onConnection(socket, url!))
  await new Promise((resolve) => {
    server.on('listening', resolve)
  })
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  return createWebSocketTransport<string, unknown>({
    request: (input) => ({ url, messages: [input] }),
    parse,
    WebSocket: NodeWebSocket as unknown as WebSocketConstructor,
    ...options,
    ...(options.resume && {
      resume: async (input: string, cursor: string) => ({ ...(await options.resume!(input, cursor)), url: `${url}/${cursor}` }),
    }),
  })
}

const open = (transport: Awaited<ReturnType<typeof serve>>, input = 'go', signal = new AbortController().signal) =>
  transport.open(input, signal)

/** A socket in the hands of the test. */
function createFakeSocket() {
  const listeners = new Map<string, (event: never) => void>()
  const socket: SocketLike = {
    binaryType: 'blob',
    send: vi.fn<SocketLike['send']>(),
    close: vi.fn<SocketLike['close']>(),
    addEventListener: (type, listener) => void listeners.set(type, listener),
  }
  const fire = (type: string, event: object = {}) => listeners.get(type)!(event as never)
  return { socket, fire, WebSocket: function FakeSocket() { return socket } as unknown as WebSocketConstructor }
}

const createFake = (options: Partial<Options> = {}) => {
  const fake = createFakeSocket()
  const transport = createWebSocketTransport<string, unknown>({
    request: () => ({ url: 'wss://example.com', messages: ['hello'] }),
    parse,
    WebSocket: fake.WebSocket,
    ...options,
  })
  return { ...fake, transport }
}

describe('a real socket', () => {
  it('says what it was opened for, and gives what the server says until that closes it', async () => {
    const transport = await serve((socket) =>
      socket.on('message', (asked) => {
        socket.send(JSON.stringify({ asked: String(asked) }))
        socket.send('"é€😀"')
        socket.close(1000)
      }),
    )
    expect(transport.kind).toBe('websocket')
    expect(await readAll(open(transport))).toEqual({ messages: [{ asked: 'go' }, 'é€😀'], error: undefined })
  })

  it('is closed by an abort, and by a break: the server sees it', async () => {
    const closes: number[] = []
    const gates = [createGate(), createGate()]
    const transport = await serve((socket) => {
      socket.on('close', (code) => gates[closes.push(code) - 1]!.open())
      socket.send('1')
    })
    const controller = new AbortController()
    const iterator = open(transport, 'go', controller.signal)[Symbol.asyncIterator]()
    expect((await iterator.next()).value).toBe(1)
    controller.abort()
    await expect(iterator.next()).rejects.toMatchObject({ name: 'AbortError' })
    await gates[0]!.opened
    for await (const chunk of open(transport)) {
      expect(chunk).toBe(1)
      break
    }
    await gates[1]!.opened
    expect(closes).toEqual([1000, 1000])
  })

  it('that is cut, or that nobody answers, is lost and may be opened again', async () => {
    const transport = await serve((socket) => socket.send('1', () => socket.terminate()))
    const { messages, error } = await readAll(open(transport))
    expect(messages).toEqual([1])
    expect(error).toMatchObject({ code: 'network', status: 1006, retryable: true })
    const nobody = createWebSocketTransport<string, unknown>({
      request: () => ({ url: 'ws://127.0.0.1:1' }),
      parse,
      WebSocket: NodeWebSocket as unknown as WebSocketConstructor,
    })
    expect((await readAll(nobody.open('go', new AbortController().signal))).error).toMatchObject({
      code: 'network',
      retryable: true,
    })
  })

  it('is taken up after a cursor at an address that is asked for anew', async () => {
    const urls: string[] = []
    const transport = await serve(
      (socket, url) => {
        urls.push(url)
        socket.send('{"seq":7}')
        socket.close(1000)
      },
      { getCursor: (chunk) => String((chunk as { seq: number }).seq), resume: () => ({ url: '' }) },
    )
    const { messages } = await readAll(open(transport))
    const cursor = transport.getCursor!(messages[0]!)!
    await readAll(transport.resume!('go', cursor, new AbortController().signal))
    expect(urls).toEqual(['/', '/7'])
  })

  it('gives ten thousand messages in order, however slowly they are read', async () => {
    const transport = await serve((socket) => {
      for (let index = 0; index < 10_000; index += 1) socket.send(String(index))
      socket.close(1000)
    })
    const { messages } = await readAll(open(transport))
    expect(messages).toEqual(Array.from({ length: 10_000 }, (_, index) => index))
  })
})

describe('the end of a socket', () => {
  it.each([
    [1000, true, { code: 'incomplete', retryable: true }],
    [1005, true, { code: 'incomplete', retryable: true }],
    [1001, false, { code: 'network', retryable: true }],
    [1011, false, { code: 'network', retryable: true, status: 1011 }],
    [1008, false, { code: 'network', retryable: false }],
    [4401, false, { code: 'network', retryable: false, status: 4401 }],
  ])('by code %i, where its last chunk is known: %s, is told from a proper one', async (code, isEndKnown, expected) => {
    const { transport, fire } = createFake(isEndKnown ? { isEnd: () => false } : {})
    const reading = readAll(transport.open('go', new AbortController().signal))
    await eventually(() => fire('message', { data: '1' }))
    fire('close', { code })
    expect(await reading).toMatchObject({ messages: [1], error: expected })
  })

  it('by a server that gives no code is a proper one', async () => {
    const transport = await serve((socket) => socket.send('1', () => socket.close()))
    expect(await readAll(open(transport))).toEqual({ messages: [1], error: undefined })
  })

  it('is the last chunk, whatever comes after it', async () => {
    const { transport, fire, socket } = createFake({ isEnd: (chunk) => chunk === 'end' })
    const reading = readAll(transport.open('go', new AbortController().signal))
    await eventually(() => fire('message', { data: '1' }))
    fire('message', { data: '"end"' })
    fire('message', { data: '"late"' })
    expect(await reading).toEqual({ messages: [1, 'end'], error: undefined })
    expect(socket.close).toHaveBeenCalledWith(1000)
  })

  it('lets the app say which of its own codes may be tried again', async () => {
    const { transport, fire } = createFake({ isRetryableClose: (code) => code === 4001 })
    const reading = readAll(transport.open('go', new AbortController().signal))
    await eventually(() => fire('close', { code: 4001 }))
    expect((await reading).error).toMatchObject({ retryable: true, status: 4001 })
  })
})

describe('what goes wrong on a socket', () => {
  it('is one clear error for a message that is not understood, which shows none of it', async () => {
    const { transport, fire, socket } = createFake()
    const reading = readAll(transport.open('go', new AbortController().signal))
    await eventually(() => fire('message', { data: '1' }))
    fire('message', { data: 'secret' })
    const { messages, error } = await reading
    expect(messages).toEqual([1])
    expect(error).toMatchObject({ code: 'invalid_frame', retryable: false })
    expect(String(error)).not.toContain('secret')
    expect(socket.close).toHaveBeenCalled()
  })

  it('is a silence that lasts too long, also before the socket is open', async () => {
    const timers: (() => void)[] = []
    const { transport, socket } = createFake({
      idleTimeout: 1000,
      timers: { setTimeout: (callback) => timers.push(callback), clearTimeout: () => undefined },
    })
    const reading = readAll(transport.open('go', new AbortController().signal))
    await eventually(() => expect(socket.binaryType).toBe('arraybuffer'))
    for (const fire of timers) fire()
    expect((await reading).error).toMatchObject({ code: 'idle_timeout', retryable: true })
    expect(socket.close).toHaveBeenCalled()
  })

  it('is a socket that is refused, also where the host tells no close of one that never opened', async () => {
    const { transport, fire } = createFake()
    const reading = readAll(transport.open('go', new AbortController().signal))
    await eventually(() => fire('error'))
    const { error } = await reading
    expect(error).toMatchObject({ code: 'network', status: 1006, retryable: true })
    expect(String(error)).toContain('websocket: The socket could not be opened (1006)')
  })

  it('is a first message that the socket does not take', async () => {
    const { transport, fire, socket } = createFake()
    const refusal = new TypeError('secret')
    vi.mocked(socket.send).mockImplementation(() => {
      throw refusal
    })
    const reading = readAll(transport.open('go', new AbortController().signal))
    await eventually(() => fire('open'))
    const { error } = await reading
    expect(error).toMatchObject({ code: 'request_failed', retryable: false, cause: refusal })
    expect(String(error)).not.toContain('secret')
    expect(socket.close).toHaveBeenCalled()
  })

  it.each([
    ['a Blob', new Blob(['1'])],
    ['nothing', undefined],
    ['a list of Buffers', [Buffer.from('1')]],
  ])('is a message that cannot be read at once: %s', async (_name, data) => {
    const { transport, fire, socket } = createFake({ parse: () => 1 })
    const reading = readAll(transport.open('go', new AbortController().signal))
    await eventually(() => fire('message', { data }))
    const { error } = await reading
    expect(error).toMatchObject({ code: 'invalid_frame', retryable: false })
    expect(String(error)).toContain("binaryType 'arraybuffer'")
    expect(socket.close).toHaveBeenCalled()
  })

  it('is a message that is too long', async () => {
    const { transport, fire } = createFake({ maxMessageSize: 10 })
    const reading = readAll(transport.open('go', new AbortController().signal))
    await eventually(() => fire('message', { data: new ArrayBuffer(11) }))
    expect((await reading).error).toMatchObject({ code: 'buffer_overflow' })
  })

  it('is a request that fails, a host without sockets, and an address that is none', async () => {
    const read = (options: Partial<Options>) =>
      readAll(createFake(options).transport.open('go', new AbortController().signal))
    const failure = new Error('No token.')
    expect((await read({ request: () => Promise.reject(failure) })).error).toMatchObject({
      code: 'request_failed',
      retryable: true,
      cause: failure,
    })
    vi.stubGlobal('WebSocket', undefined)
    expect((await read({ WebSocket: undefined })).error).toMatchObject({ code: 'request_failed', retryable: false })
    const Broken = function Broken() { throw new SyntaxError('no') } as unknown as WebSocketConstructor
    expect((await read({ WebSocket: Broken })).error).toMatchObject({ code: 'request_failed', retryable: false })
  })

  it('sends nothing of a stream that was aborted before it began', async () => {
    const asked = vi.fn<() => { url: string }>(() => ({ url: 'wss://example.com' }))
    const { transport } = createFake({ request: asked })
    const { error } = await readAll(transport.open('go', AbortSignal.abort()))
    expect(error).toMatchObject({ name: 'AbortError' })
    expect(asked).not.toHaveBeenCalled()
  })

  it('gives binary messages as bytes', async () => {
    const { transport, fire } = createFake({ parse: ({ data }: SocketMessage) => (data as ArrayBuffer).byteLength })
    const reading = readAll(transport.open('go', new AbortController().signal))
    await eventually(() => fire('message', { data: new ArrayBuffer(3) }))
    fire('close', { code: 1000 })
    expect(await reading).toEqual({ messages: [3], error: undefined })
  })
})
