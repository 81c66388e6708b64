import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { call, createScriptedModel, finish, say } from './support/createScriptedModel.ts'
import { describeEachStore } from './support/eachStore.ts'
import { expectSoundLog } from './support/expectSoundLog.ts'
import { nameOf, readAll } from './support/readFrames.ts'
import { readAnswer } from './support/readAnswer.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

const hello = () => createScriptedModel([[say('Hello.'), ...finish('stop')]])
const long = 'key-'.repeat(25_000)

let server: TestServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

describeEachStore('what no store could look for', (stores) => {
  const open = async (model = hello()) => {
    // It is closed with the test's database.
    server = await startTestServer({ store: { ...(await stores.open()), close: async () => undefined }, model })
    return server.createBrowser()
  }

  it.each([
    ['a time that is no whole number', { updatedAt: 1.5, id: 'c' }],
    ['a time past all times', { updatedAt: 1e300, id: 'c' }],
    ['an id that no conversation has', { updatedAt: 1, id: 'c\0' }],
    ['half a character', { updatedAt: 1, id: '\ud800' }],
  ])('is refused in a cursor that somebody made up: %s', async (_name, cursor) => {
    const browser = await open()
    const before = Buffer.from(JSON.stringify(cursor)).toString('base64url')
    expect(await browser.request('GET', `/api/agent/conversations?before=${before}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor' },
    })
  })

  it('is refused as a command’s id, key or reason, and the command is none', async () => {
    const browser = await open()
    const { runId, frames } = await browser.start('Hi')
    const send = (stated: { commandId?: string; idempotencyKey?: string }, reason?: string) => {
      const command = browser.commands(runId).create('run.cancel', { reason }, stated)
      return browser.request('POST', '/api/agent/commands', command)
    }
    const answers = await Promise.all([
      ...[long, 'a\0', '\ud800'].flatMap((id) => [send({ commandId: id }), send({ idempotencyKey: id })]),
      send({}, long),
    ])
    for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(nameOf((await readAll(frames)).at(-1)!)).toBe('end')
  })

  it('may be a key made of the longest id of a run', async () => {
    const browser = await open()
    const runId = '中'.repeat(200)
    await readAll((await browser.start('Hi', { runId })).frames)
    const cancel = browser.commands(runId).create('run.cancel', {})
    expect(await browser.request('POST', '/api/agent/commands', cancel)).toMatchObject({
      status: 409,
      body: { code: 'run_ended' },
    })
  })

  it.each([['too long', long], ['of control characters', 'a\0b']])(
    'is no id of a tool call: one that is %s gets another',
    async (_name, id) => {
      const search = [call('document_search', { query: 'x' }, 0, id), ...finish('tool_calls')]
      const browser = await open(createScriptedModel([search, [say('Done.'), ...finish('stop')]]))
      const { runId, frames } = await browser.start('Find x')
      const read = await readAll(frames)
      expectSoundLog(read, runId)
      const types = read.map((frame) => (frame.data.event as { type: string } | undefined)?.type)
      expect(types).toContain('tool.completed')
      expect(types).toContain('run.completed')
      expect(JSON.stringify(read)).not.toContain(JSON.stringify(id))
    },
  )
})

describe('what is no request', () => {
  const post = 'POST /api/documents HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'

  it.each([
    ['other bytes', '\x16\x03\x01\x02\x00', 400, 'invalid_http'],
    ['two lengths', `${post}content-length: 1\r\ncontent-length: 2\r\n\r\n{}`, 400, 'invalid_http'],
    ['too many headers', `GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['a name that is none', 'GET /healthz HTTP/1.1\r\nhost: a b\r\n\r\n', 400, 'invalid_url'],
    ['an address that is none', 'GET http://[x/healthz HTTP/1.1\r\nhost: localhost\r\n\r\n', 400, 'invalid_url'],
  ])('is answered as every refusal is: %s', async (_name, bytes, status, code) => {
    server = await startTestServer()
    expect(await readAnswer(server.url, bytes)).toMatchObject({ status, body: { code, message: expect.any(String) } })
  })

  it.each([
    ['headers', `${post}x-a: `],
    ['body', `${post}content-length: 9\r\n\r\n{`],
    ['body in pieces', `${post}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`],
  ])('is told when it did not come in time: its %s', async (_name, bytes) => {
    server = await startTestServer({}, { headersTimeout: 50, requestTimeout: 60, connectionsCheckingInterval: 10 })
    expect(await readAnswer(server.url, bytes)).toMatchObject({ status: 408, body: { code: 'request_timeout' } })
  })

  it('puts nothing into an answer that is under way', async () => {
    server = await startTestServer({ model: createScriptedModel([[say('Hello.'), new Promise(() => undefined)]]) })
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    const body = JSON.stringify({ conversationId: 'c', messages: [{ role: 'user', content: 'Hi' }] })
    socket.write(`${post.replace('documents', 'agent/stream')}content-length: ${body.length}\r\n\r\n${body}`)
    await expect.poll(() => text).toContain('Hello.')
    socket.write('no HTTP at all\r\n\r\n')
    await once(socket, 'close')
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it.each([
    ['is cut', `${post}content-length: 9\r\n\r\n{`],
    ['is cut and comes in pieces', `${post}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`],
    ['is parted by what parts nothing', `${post}transfer-encoding: chunked\r\n\r\nzz\r\n`],
  ])('is no failure of the server: a body that %s', async (_name, bytes) => {
    const failures: unknown[] = []
    const codes: number[] = []
    server = await startTestServer({
      observer: { failed: (error) => void failures.push(error) },
      httpObserver: { answered: ({ status }) => void codes.push(status) },
    })
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined).resume()
    socket.end(bytes)
    await expect.poll(() => codes).toEqual([400])
    expect(failures).toEqual([])
  })
})
