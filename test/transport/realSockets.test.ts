import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { configureStore } from '@reduxjs/toolkit'
import {
  createAgentRuntime,
  createNdjsonTransport,
  createWebSocketTransport,
  type AgentTransport,
  type WebSocketConstructor,
} from 'redux-agent'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket as NodeWebSocket, WebSocketServer } from 'ws'
import { createLineProvider, runLine, type RunLine } from './createLineProvider.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const lines: RunLine[] = [{ n: 1, text: 'Hé' }, { n: 2, text: 'llo, 世' }, { n: 3, text: '界 😀' }, { n: 4, end: true }]
const answer = 'Héllo, 世界 😀'
const encode = (line: RunLine) => Buffer.from(`${JSON.stringify(line)}\n`)
const bodySize = Buffer.concat(lines.map(encode)).length

/** What happened on a wire: the tokens that requests came with, and the lines that the page has read. */
const createRecord = () => ({ tokens: [] as string[], read: new Map<string, number>() })
type WireRecord = ReturnType<typeof createRecord>

/**
 * A server of such lines over HTTP and over WebSocket, which takes each token once. The first connection of each run is
 * reset after so many bytes, once the page has read the whole lines among them; the next ones get all.
 */
async function serve(cutAt: number, record: WireRecord) {
  const tokens = new Set<string>()
  const cut = new Set<string>()
  /** Whether the request may be answered. */
  function admit(url: URL): boolean {
    const token = url.searchParams.get('token')!
    if (tokens.has(token)) return false
    tokens.add(token)
    record.tokens.push(token)
    return true
  }
  const takeCut = (run: string) => (cut.has(run) ? Infinity : (cut.add(run), cutAt))
  const wholeLines = lines.filter((_line, index) => Buffer.concat(lines.slice(0, index + 1).map(encode)).length <= cutAt)
  function reset(socket: Duplex, run: string): void {
    const isRead = (record.read.get(run) ?? 0) >= wholeLines.length
    if (isRead) (socket as Socket).resetAndDestroy()
    else setImmediate(reset, socket, run)
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://host')
    if (!admit(url)) return void response.writeHead(401).end()
    const body = Buffer.concat(lines.slice(Number(url.searchParams.get('after') ?? 0)).map(encode))
    const size = takeCut(url.pathname)
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.flushHeaders()
    if (size >= body.length) return void response.end(body)
    response.write(body.subarray(0, size), () => reset(request.socket, url.pathname))
    return undefined
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url!, 'http://host')
    if (!admit(url)) return void socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      let left = takeCut(url.pathname)
      // What would be its last frame is cut in its middle, as the frames of a socket are.
      for (const line of lines.slice(Number(url.searchParams.get('after') ?? 0))) {
        const { length } = encode(line)
        if (left >= length) webSocket.send(JSON.stringify(line))
        else {
          const frame = Buffer.concat([Buffer.from([0x81, length - 1]), Buffer.from(JSON.stringify(line))])
          socket.write(frame.subarray(0, left), () => reset(socket, url.pathname))
          return
        }
        left -= length
      }
      webSocket.close()
    })
    return undefined
  })
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Transport = AgentTransport<string, RunLine>
const meaning = { getCursor: ({ n }: RunLine) => String(n), isEnd: ({ end }: RunLine) => end === true }

function createTransports(host: string, record: WireRecord): Record<'ndjson' | 'websocket', Transport> {
  let token = 0
  // As a token that is asked for before each connection comes.
  const getPath = async (runId: string, after = '0') => `${host}/${runId}?after=${after}&token=${(token += 1)}`
  const read = (runId: string, value: unknown) => {
    const line = runLine.parse(value)
    record.read.set(`/${runId}`, line.n)
    return line
  }
  return {
    ndjson: createNdjsonTransport<string, RunLine>({
      ...meaning,
      request: async (runId) => ({ url: `http://${await getPath(runId)}` }),
      resume: async (runId, cursor) => ({ url: `http://${await getPath(runId, cursor)}` }),
      parse: (value, runId) => read(runId, value),
    }),
    websocket: createWebSocketTransport<string, RunLine>({
      ...meaning,
      request: async (runId) => ({ url: `ws://${await getPath(runId)}` }),
      resume: async (runId, cursor) => ({ url: `ws://${await getPath(runId, cursor)}` }),
      parse: ({ data }, runId) => read(runId, JSON.parse(data as string)),
      WebSocket: NodeWebSocket as unknown as WebSocketConstructor,
    }),
  }
}

/** A store whose waits are over at once. */
function createStore(transport: Transport) {
  const agent = createAgentRuntime({
    providers: [createLineProvider(transport)],
    reconnect: { maxAttempts: 3 },
    environment: {
      setTimer(callback) {
        const timer = setImmediate(callback)
        return () => clearImmediate(timer)
      },
    },
  })
  const store = configureStore({
    reducer: { agent: agent.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware),
    devTools: false,
  })
  const run = async (runId: string) => {
    await store.dispatch(agent.actions.startRun({ sessionId: runId, runId, provider: 'lines', input: '' })).unwrap()
    const { runs, messages, issues } = agent.selectors.selectAgentState(store.getState(), runId)
    return { status: Object.values(runs)[0]!.status, text: Object.values(messages).map(({ content }) => content), issues }
  }
  return run
}

const whole = { status: 'completed', text: [answer], issues: [] }

describe.each(['ndjson', 'websocket'] as const)('a run over %s on a real socket', (kind) => {
  async function open(cutAt: number) {
    const record = createRecord()
    const host = await serve(cutAt, record)
    return { run: createStore(createTransports(host, record)[kind]), record }
  }

  it('that is reset after any byte is taken up after its cursor, with a token of its own, and is whole', async () => {
    // Before its first line nothing is known that it could be taken up after.
    for (let cutAt = encode(lines[0]!).length; cutAt < bodySize; cutAt += 1) {
      const { run, record } = await open(cutAt)
      expect(await run('r1'), `cut after ${cutAt} bytes`).toEqual(whole)
      expect(record.tokens).toEqual(['1', '2'])
    }
  })

  it('and another at once, both reset, are both whole', async () => {
    for (const cutAt of [encode(lines[0]!).length, 40, bodySize - 1]) {
      const { run } = await open(cutAt)
      expect(await Promise.all([run('r1'), run('r2')])).toEqual([whole, whole])
    }
  })
})
