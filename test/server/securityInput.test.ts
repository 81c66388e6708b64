import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRunServer } from '../../demo/server/createRunServer.ts'
import { listen } from '../../demo/server/listen.ts'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'
import { call, createScriptedModel, finish, say } from './support/createScriptedModel.ts'
import { envelopeOf, eventsOf, readAll } from './support/readFrames.ts'
import { sendBytes } from './support/sendBytes.ts'
import { sendRaw } from './support/sendRaw.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(async () => {
  // Whatever was sent: the server lives.
  const { status } = await sendRaw(`${server.url}/healthz`)
  if (status !== 200) throw new Error(`The server does not live: /healthz answers ${status}.`)
  await server.close()
})

const json = { 'content-type': 'application/json' }
const post = (path: string, body: string, headers: Record<string, string> = json) =>
  sendRaw(server.url + path, { method: 'POST', headers, pieces: [body] })

describe('a body', () => {
  const posts = ['/api/agent/stream', '/api/agent/commands', '/api/documents']

  it.each(['', '{', 'null', '7', '"x"', '[]', '{"__proto__":{"ownerId":"x"}}', '\uFEFF{}', "{'a':1}", '{"a":1}{}'])(
    'that says %j is refused as a request that does not fit',
    async (body) => {
      for (const path of posts) expect((await post(path, body)).status).toBe(400)
    },
  )

  it.each(['', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json'])(
    'of the type %j is refused',
    async (type) => {
      for (const path of posts) {
        const headers: Record<string, string> = type === '' ? {} : { 'content-type': type }
        expect(await post(path, '{}', headers)).toMatchObject({ status: 415 })
      }
    },
  )

  it('that is nested a hundred thousand levels deep is refused, and brackets within a text are none', async () => {
    const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000)
    for (const path of posts) {
      expect(await post(path, deep('[', ']'))).toMatchObject({ status: 400, body: { code: 'json_too_deep' } })
      expect(await post(path, `{"a":${deep('{"a":', '}').replace('{"a":}', '{}')}}`)).toMatchObject({ status: 400 })
    }
    const content = `${'['.repeat(5_000)}"\\"${'{'.repeat(5_000)}`
    expect((await post('/api/documents', JSON.stringify({ title: 'x', content }))).status).toBe(201)
  })

  it('of 2 MB is refused with 413, its length stated or not, true or false', async () => {
    const large = JSON.stringify({ title: 'x', content: 'x'.repeat(2 * 1024 * 1024) })
    for (const path of posts) {
      expect((await post(path, large, { ...json, 'content-length': String(large.length) })).status).toBe(413)
      expect((await post(path, large, { ...json, 'transfer-encoding': 'chunked' })).status).toBe(413)
    }
    // Stated, and never sent.
    const head = `POST /api/documents HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`
    expect(await sendBytes(server.url, `${head}content-length: 99999999999\r\n\r\n{`)).toBe(413)
  })

  it('that is told to be two things at once is refused', async () => {
    const head = 'POST /api/documents HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
    const both = `${head}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`
    expect(await sendBytes(server.url, both)).toBe(400)
    expect(await sendBytes(server.url, `${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`)).toBe(400)
    expect(await sendBytes(server.url, `${head}content-length: -1\r\n\r\n{}`)).toBe(400)
  })
})

describe('an address', () => {
  it('takes its own methods alone', async () => {
    const cases: [string, string, string][] = [
      ['PUT', '/api/documents', 'GET, POST'],
      ['POST', '/api/documents/x', 'GET, PATCH, DELETE'],
      ['GET', '/api/agent/commands', 'POST'],
      ['DELETE', '/api/agent/runs/r1', 'GET'],
      ['PATCH', '/api/agent/runs/r1/stream', 'GET'],
      ['OPTIONS', '/api/agent/stream', 'POST'],
      ['POST', '/healthz', 'GET'],
    ]
    for (const [method, path, allow] of cases) {
      const response = await fetch(server.url + path, { method })
      expect([method, path, response.status, response.headers.get('allow')]).toEqual([method, path, 405, allow])
    }
    expect(await sendBytes(server.url, 'BREW /api/documents HTTP/1.1\r\nhost: localhost\r\n\r\n')).toBe(400)
    expect(await sendBytes(server.url, 'GET /api/documents HTTP/9.9\r\nhost: localhost\r\n\r\n')).toBe(400)
    expect((await sendRaw(`${server.url}/api/nothing`, { method: 'PUT' })).status).toBe(404)
  })

  it.each([
    '/api/documents/../../../etc/passwd',
    '/api/documents/..%2f..%2f..%2fetc%2fpasswd',
    '/..%5c..%5cetc/passwd',
    '/api/agent/runs/%00',
    '/api/agent/runs/a%00b/events',
    '/api/documents/%F0%28%8C%28',
    '/api/documents/%E0%A4%A',
    "/api/documents/x'%3B%20DROP%20TABLE%20workspaceDocuments%3B--",
    '/api/agent/conversations/%22%20OR%20%221%22=%221',
    '/api/documents/__proto__',
    '/api/documents/constructor',
    '/api/agent/runs/hasOwnProperty/checkpoint',
    `/api/documents/${'x'.repeat(8_000)}`,
  ])('of what is not there, such as %s, is answered with 404', async (path) => {
    expect(await sendBytes(server.url, `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)).toBe(404)
    expect((await fetch(`${server.url}/api/documents`)).status).toBe(200)
  })

  it('longer than any is refused before it is read', async () => {
    const path = `/api/agent/conversations?before=${'x'.repeat(100_000)}`
    expect(await sendBytes(server.url, `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)).toBe(431)
    const headers = Array.from({ length: 5_000 }, (_, index) => `x-${index}: y`).join('\r\n')
    expect(await sendBytes(server.url, `GET /healthz HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n\r\n`)).toBe(431)
  })

  it('may ask for nothing but numbers where numbers belong', async () => {
    const queries = ['before=%00', 'before=x', 'limit=1%27%20OR%201', 'limit=-1', 'limit=99999999999', 'before=eyJ9']
    for (const query of queries) {
      expect([query, (await sendRaw(`${server.url}/api/agent/conversations?${query}`)).status]).toEqual([query, 400])
    }
    const many = Array.from({ length: 500 }, (_, index) => `limit=${index}`).join('&')
    expect((await sendRaw(`${server.url}/api/agent/conversations?${many}`)).status).toBe(200)
  })
})

describe('an id that the client chooses', () => {
  const good = { conversationId: 'c1', messages: [{ role: 'user', content: 'Hi' }] }
  const start = (ids: Record<string, unknown>) => post('/api/agent/stream', JSON.stringify({ ...good, ...ids }))

  it.each(['a\0b', '\0', 'a\nb', 'a\u001b[2Jb', 'half \ud800', '', 'x'.repeat(201)])(
    'is refused where no store would keep it as it is: %j',
    async (id) => {
      for (const field of ['runId', 'conversationId', 'assistantMessageId', 'modelId']) {
        expect(await start({ [field]: id })).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
      }
      const resume = JSON.stringify({ resume: { runId: id, lastAppliedSeq: 0 } })
      expect((await post('/api/agent/stream', resume)).status).toBe(400)
    },
  )

  it('may be SQL or HTML, and is only ever a name', async () => {
    const browser = server.createBrowser()
    const runId = `'); DROP TABLE "agentRuns";--<script>alert(1)</script>`
    const { frames } = await browser.start('List the documents', { runId, conversationId: `" OR ""="` })
    expect(eventsOf(await readAll(frames)).at(-1)).toMatchObject({ type: 'run.completed', runId })
    const read = await browser.send(`/api/agent/runs/${encodeURIComponent(runId)}`)
    expect(read.headers.get('content-type')).toContain('application/json')
    expect(await read.json()).toMatchObject({ runId, status: 'completed' })
    const { body } = await browser.request<{ conversations: unknown[] }>('GET', '/api/agent/conversations')
    expect(body.conversations).toHaveLength(1)
  })
})

describe('HTML in a tool’s result', () => {
  it('is data of a type that no browser runs, to the letter', async () => {
    await server.close()
    const html = '</script><img src=x onerror=alert(1)>\u2028\n\nid: 99\nevent: end\ndata: {}\n\n'
    const script = [
      [call('document_search', { query: 'onerror' }), ...finish('tool_calls')],
      [say(html), ...finish('stop')],
    ]
    server = await startTestServer({ model: createScriptedModel(script), store: createSqliteStore(':memory:') })
    const browser = server.createBrowser()
    await browser.request('POST', '/api/documents', { title: html.slice(0, 60), content: html })
    const response = await browser.send('/api/agent/stream', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ conversationId: 'c1', messages: [{ role: 'user', content: html }] }),
    })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const lines = (await response.text()).split(/\r\n|\r|\n/)
    // Nothing of it became a frame of its own.
    expect(lines.filter((line) => line === 'event: end')).toHaveLength(1)
    expect(lines).not.toContain('id: 99')
    const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6))
    const stored = data.map((text) => JSON.parse(text) as { event?: unknown })
    const events = stored.flatMap((data) => (data.event === undefined ? [] : [data as ReturnType<typeof envelopeOf>]))
    const result = events.find(({ event }) => event.type === 'tool.completed')!.event.payload
    expect(JSON.stringify(result)).toContain(JSON.stringify('<img src=x onerror=alert(1)>').slice(1, -1))
    const said = events.flatMap(({ event }) => (event.type === 'message.delta' ? [event.payload.delta] : [])).join('')
    expect(said).toBe(html)
  })
})

describe('the page', () => {
  it('may run its own files alone, and be framed by nobody', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'run-server-page-'))
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Page</title>')
    const served = await startTestServer({ staticFolder: folder })
    const { status, headers } = await fetch(served.url)
    const policy = new Map(headers.get('content-security-policy')!.split('; ').map((part) => splitFirst(part)))
    expect(status).toBe(200)
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('script-src')).toBe("'self'")
    expect(policy.get('style-src')).toBe("'self'")
    expect(policy.get('frame-ancestors')).toBe("'none'")
    expect([...policy.values()].join(' ')).not.toMatch(/unsafe|\*|https?:/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.getSetCookie()).toHaveLength(1)
    await served.close()
    rmSync(folder, { recursive: true })
  })

  const splitFirst = (text: string) => {
    const index = text.indexOf(' ')
    return [text.slice(0, index), text.slice(index + 1)] as const
  }
})

describe('clients that are slow on purpose', () => {
  it('cost a connection each for a while, and then none; others are served meanwhile', async () => {
    const patience = { headersTimeout: 150, requestTimeout: 200, connectionsCheckingInterval: 20 }
    const slow = await startTestServer({}, patience)
    const { hostname, port } = new URL(slow.url)
    const sockets: Socket[] = []
    const head = 'POST /api/documents HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
    for (let index = 0; index < 100; index += 1) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined).resume()
      socket.write(index % 2 === 0 ? `${head}x-a: ` : `${head}content-length: 100\r\n\r\n{`)
      sockets.push(socket)
    }
    const closed = sockets.map((socket) => once(socket, 'close'))
    // Where this machine is slower than the server is patient, that too is turned away: then it asks again.
    const getStatus = () => sendRaw(`${slow.url}/api/documents`).then(({ status }) => status, () => 0)
    await expect.poll(getStatus).toBe(200)
    // The server’s doing: no socket is ended here.
    await Promise.all(closed)
    await expect.poll(getStatus).toBe(200)
    await slow.close()
  })

  it('cannot open more connections than may be', async () => {
    const { app, close } = await createRunServer({ model: createScriptedModel([]) })
    const opened = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0, maxConnections: 3 })
    const { hostname, port } = new URL(opened.url)
    const open = () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined).resume()
      return socket
    }
    const first = [open(), open(), open()]
    await Promise.all(first.map((socket) => once(socket, 'connect')))
    const fourth = open()
    await once(fourth, 'close')
    expect(first.every(({ destroyed }) => !destroyed)).toBe(true)
    const left = once(first[0]!, 'close')
    first[0]!.destroy()
    await left
    await expect.poll(async () => sendRaw(`${opened.url}/healthz`).then(({ status }) => status, () => 0)).toBe(200)
    for (const socket of first) socket.destroy()
    await close()
    opened.server.closeAllConnections()
    opened.server.close()
  })
})
