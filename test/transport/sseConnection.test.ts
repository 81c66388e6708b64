import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSseTransport, type SseMessage } from 'redux-agent'
import { createGate } from 'redux-agent/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { readAll } from './readSse.ts'

const servers: Server[] = []
afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    }),
  )
})

/** Serves on a free port and gives a transport to it. */
async function serve(answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => answer(response))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return createSseTransport<string, SseMessage>({ request: () => ({ url }), parse: (message) => message })
}
const eventStream = { 'content-type': 'text/event-stream' }

describe('a real connection', () => {
  it('is closed by an abort: the server sees it', async () => {
    const closed = createGate()
    const transport = await serve((response) => {
      response.on('close', () => closed.open())
      response.writeHead(200, eventStream).write('data: x\n\n')
    })
    const controller = new AbortController()
    const iterator = transport.open('input', controller.signal)[Symbol.asyncIterator]()
    expect((await iterator.next()).value).toMatchObject({ data: 'x' })
    controller.abort()
    await expect(iterator.next()).rejects.toMatchObject({ name: 'AbortError' })
    await closed.opened
  })

  it('is closed by a break: the server sees it', async () => {
    const closed = createGate()
    const transport = await serve((response) => {
      response.on('close', () => closed.open())
      response.writeHead(200, eventStream).write('data: x\n\n')
    })
    for await (const message of transport.open('input', new AbortController().signal)) {
      expect(message.data).toBe('x')
      break
    }
    await closed.opened
  })

  it('that is cut is a network error', async () => {
    const transport = await serve((response) => {
      response.writeHead(200, eventStream)
      response.write('data: x\n\ndata: y', () => response.destroy())
    })
    const { messages, error } = await readAll(transport.open('input', new AbortController().signal))
    expect(messages.map(({ data }) => data)).toEqual(['x'])
    expect(error).toMatchObject({ code: 'network', retryable: true })
  })

  it('that nobody answers is a network error', async () => {
    const transport = createSseTransport<string, SseMessage>({
      request: () => ({ url: 'http://127.0.0.1:1/' }),
      parse: (message) => message,
    })
    const { error } = await readAll(transport.open('input', new AbortController().signal))
    expect(error).toMatchObject({ code: 'network', retryable: true })
  })
})
