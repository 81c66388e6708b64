import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'
import { createManualTimers } from './support/createManualTimers.ts'
import { createGate, createScriptedModel, finish, say } from './support/createScriptedModel.ts'
import { readAll } from './support/readFrames.ts'
import { sendRaw } from './support/sendRaw.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let server: TestServer
afterEach(() => server.close())

const start = (more: object = {}) => ({
  conversationId: 'c1',
  messages: [{ role: 'user', content: 'List the documents' }],
  ...more,
})

/** A store that tells how much lies in it. */
function createCountedStore() {
  const store = createSqliteStore(':memory:')
  const ownerIds = new Set<string>()
  return {
    ownerIds,
    store: {
      ...store,
      transaction: ((work) =>
        store.transaction((transaction) =>
          work({
            ...transaction,
            users: {
              ...transaction.users,
              insert: async (ownerId, at) => {
                ownerIds.add(ownerId)
                await transaction.users.insert(ownerId, at)
              },
            },
          }),
        )) as typeof store.transaction,
    },
  }
}

describe('the name under which a request comes', () => {
  const get = (host: string, path = '/api/documents') => sendRaw(server.url + path, { headers: { host } })

  it.each(['localhost', 'LOCALHOST:5173', '127.0.0.1', '127.0.0.1:1', '[::1]:8787', '[::1]', 'localhost.'])(
    'may be %s',
    async (host) => {
      server = await startTestServer()
      expect((await get(host)).status).toBe(200)
    },
  )

  it.each(['evil.example', 'evil.example:8787', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.7', '[::2]'])(
    'may not be %s, for reading, writing or the page',
    async (host) => {
      server = await startTestServer()
      for (const path of ['/api/documents', '/api/nothing', '/']) {
        expect(await get(host, path)).toMatchObject({ status: 421, body: { code: 'unknown_host' }, cookies: [] })
      }
      const answer = await sendRaw(`${server.url}/api/documents/travel-policy`, { method: 'DELETE', headers: { host } })
      expect(answer).toMatchObject({ status: 421, body: { code: 'unknown_host' } })
    },
  )

  it('is refused where it is no name at all', async () => {
    server = await startTestServer()
    for (const host of ['localhost:x', 'a b', 'user@localhost', 'localhost/x', 'localhost,evil.example']) {
      expect((await get(host)).status).toBeGreaterThanOrEqual(400)
    }
  })

  it('may be one that was allowed, with any port', async () => {
    server = await startTestServer({ allowedHosts: ['Demo.Example', '::', '192.168.0.7'] })
    for (const host of ['demo.example', 'demo.example:8443', '[::]:80', '192.168.0.7:8787', 'localhost']) {
      expect((await get(host)).status).toBe(200)
    }
    expect((await get('other.example')).status).toBe(421)
  })
})

describe('a change that a page asks for', () => {
  const remove = (headers: Record<string, string>) =>
    sendRaw(`${server.url}/api/documents/travel-policy`, { method: 'DELETE', headers })

  it.each<[number, Record<string, string>]>([
    [204, {}],
    [204, { 'sec-fetch-site': 'same-origin' }],
    [204, { 'sec-fetch-site': 'none' }],
    // As the page of the demo's development server sends it through the proxy, which keeps the Host.
    [204, { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:5173', host: '127.0.0.1:5173' }],
    [204, { origin: 'http://localhost:5173', host: 'localhost:5173' }],
    [403, { 'sec-fetch-site': 'same-site' }],
    [403, { 'sec-fetch-site': 'cross-site' }],
    [403, { 'sec-fetch-site': 'anything' }],
    [403, { origin: 'http://localhost:9999', host: 'localhost:5173' }],
    [403, { origin: 'null' }],
    [403, { origin: 'https://evil.example' }],
  ])('is answered with %i for %o', async (status, headers) => {
    server = await startTestServer()
    expect((await remove(headers)).status).toBe(status)
  })

  it('is refused by every route that changes something, and reading is not', async () => {
    server = await startTestServer()
    const headers = { 'sec-fetch-site': 'same-site', 'content-type': 'application/json' }
    for (const [method, path] of [
      ['POST', '/api/agent/stream'],
      ['POST', '/api/agent/commands'],
      ['POST', '/api/documents'],
      ['PATCH', '/api/documents/travel-policy'],
      ['DELETE', '/api/documents/travel-policy'],
    ] as const) {
      const answer = await sendRaw(server.url + path, { method, headers })
      expect(answer).toMatchObject({ status: 403, body: { code: 'cross_site' } })
    }
    expect((await sendRaw(`${server.url}/api/documents`, { headers })).status).toBe(200)
  })
})

describe('a new browser', () => {
  it('that only reads leaves nothing behind, however often and without a cookie', async () => {
    const { store, ownerIds } = createCountedStore()
    server = await startTestServer({ store })
    const paths = ['/api/documents', '/api/documents/travel-policy', '/api/agent/conversations', '/api/documents/none']
    for (const path of [...paths, ...paths]) {
      const { cookies } = await sendRaw(server.url + path)
      expect(cookies).toHaveLength(1)
    }
    expect(ownerIds.size).toBe(0)
  })

  it('finds the same documents before and after its first change', async () => {
    server = await startTestServer()
    const browser = server.createBrowser()
    const list = async () =>
      (await browser.request<{ documents: { id: string }[] }>('GET', '/api/documents')).body.documents
    const before = await list()
    const one = (await browser.request('GET', '/api/documents/travel-policy')).body
    expect(before).toHaveLength(6)
    const { id } = (await browser.request('POST', '/api/documents', { title: 'New', content: '' })).body
    await browser.request('DELETE', `/api/documents/${String(id)}`)
    expect(await list()).toEqual(before)
    expect((await browser.request('GET', '/api/documents/travel-policy')).body).toEqual(one)
    expect((await browser.request('DELETE', '/api/documents/travel-policy')).status).toBe(204)
    expect((await list()).map((document) => document.id)).not.toContain('travel-policy')
  })

  it('whose first requests race is one owner, in whatever order the answers come', async () => {
    for (const order of [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]]) {
      const { store, ownerIds } = createCountedStore()
      server = await startTestServer({ store })
      const answers = await Promise.all(order.map(() => sendRaw(`${server.url}/api/documents`)))
      const given = order.map((index) => answers[index]!.cookies[0]!.split(';', 1)[0]!)
      expect(new Set(given).size).toBe(5)
      // The first answer is there and the person writes; the others come late.
      const early = server.createBrowser(given[0])
      await early.request('PATCH', '/api/documents/travel-policy', { content: 'Mine' })
      const browser = server.createBrowser([early.getCookie(), ...given.slice(1)].join('; '))
      expect((await browser.request('GET', '/api/documents/travel-policy')).body.content).toBe('Mine')
      await browser.request('PATCH', '/api/documents/travel-policy', { title: 'Still mine' })
      expect(ownerIds.size).toBe(1)
      expect(browser.getCookie()).toBe(given[0])
      expect((await browser.request('GET', '/api/documents/travel-policy')).body).toMatchObject({ version: 3 })
      await server.close()
    }
  })

  it('that has all of its cookies before it writes writes under one of them', async () => {
    const { store, ownerIds } = createCountedStore()
    server = await startTestServer({ store })
    const answers = await Promise.all([0, 1, 2, 3, 4].map(() => sendRaw(`${server.url}/api/documents`)))
    const browser = server.createBrowser(answers.map(({ cookies }) => cookies[0]!.split(';', 1)[0]!).join('; '))
    const statuses = await Promise.all(
      [0, 1, 2].map((index) => browser.request('POST', '/api/documents', { title: `${index}`, content: '' })),
    )
    expect(statuses.map(({ status }) => status)).toEqual([201, 201, 201])
    const { documents } = (await browser.request<{ documents: unknown[] }>('GET', '/api/documents')).body
    expect([ownerIds.size, documents.length]).toEqual([1, 9])
    expect(browser.getCookie()!.split('; ')).toHaveLength(1)
  })

  it('that keeps no cookie can write only so often, and others still can', async () => {
    const timers = createManualTimers()
    const { store, ownerIds } = createCountedStore()
    server = await startTestServer({ store, now: timers.now, maxNewcomers: 3 })
    const post = (pieces: string[]) =>
      sendRaw(`${server.url}/api/documents`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        pieces,
      })
    const document = ['{"title":"x","content":""}']
    const good = server.createBrowser()
    expect((await good.request('POST', '/api/documents', { title: 'x', content: '' })).status).toBe(201)
    await good.request('GET', '/api/documents')
    for (let index = 0; index < 3; index += 1) expect((await post(document)).status).toBe(201)
    for (let index = 0; index < 3; index += 1) {
      expect(await post(document)).toMatchObject({ status: 429, body: { code: 'too_many_newcomers' }, cookies: [] })
    }
    expect(ownerIds.size).toBe(4)
    const later = server.createBrowser()
    await later.request('GET', '/api/documents')
    expect((await later.request('POST', '/api/documents', { title: 'x', content: '' })).status).toBe(201)
    timers.advance(60 * 60_000)
    expect((await post(document)).status).toBe(201)
  })
})

describe('a start', () => {
  it('names no model but those that are offered', async () => {
    const model = createScriptedModel([finish('stop'), finish('stop')])
    server = await startTestServer({ model, defaultModel: 'small', models: ['large'] })
    const browser = server.createBrowser()
    for (const modelId of ['huge', 'Large', '__proto__', 'large ']) {
      expect(await browser.request('POST', '/api/agent/stream', start({ modelId }))).toMatchObject({
        status: 400,
        body: { code: 'unknown_model', models: ['small', 'large'] },
      })
    }
    await readAll((await browser.start('Go', { modelId: 'large' })).frames)
    await readAll((await browser.start('Go')).frames)
    expect(model.requests.map((request) => request.model)).toEqual(['large', 'small'])
  })

  it('is refused while as many runs of its owner are under way as may be, and others are not', async () => {
    const gate = createGate()
    const scripts = Array.from({ length: 5 }, () => [say('Hm'), gate.opened, ...finish('stop')])
    server = await startTestServer({ model: createScriptedModel(scripts), maxRunningRuns: 2 })
    const [browser, other] = [server.createBrowser(), server.createBrowser()]
    const first = await browser.start('Go', { conversationId: 'c1' })
    await browser.start('Go', { conversationId: 'c2' })
    const third = start({ conversationId: 'c3' })
    expect(await browser.request('POST', '/api/agent/stream', third)).toMatchObject({
      status: 429,
      body: { code: 'too_many_runs' },
    })
    await browser.start('Go', { conversationId: 'c2', supersede: true })
    await other.start('Go', { conversationId: 'c3' })
    await browser.command(browser.commands(first.runId).create('run.cancel', {}))
    await browser.start('Go', { conversationId: 'c3' })
    gate.open()
  })
})

describe('a body', () => {
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  const send = (path: string, pieces: readonly string[]) => sendRaw(server.url + path, { method: 'POST', headers, pieces })

  it('may not be larger than 1 MB, in pieces of no stated length either', async () => {
    server = await startTestServer()
    const piece = 'x'.repeat(64 * 1024)
    const good = await send('/api/documents', ['{"title":"x","content":"', ...Array(6).fill(piece), '"}'])
    expect(good.status).toBe(201)
    for (const path of ['/api/documents', '/api/agent/stream', '/api/agent/commands']) {
      expect(await send(path, ['{"a":"', ...Array(17).fill(piece), '"}'])).toMatchObject({
        status: 413,
        body: { code: 'body_too_large' },
      })
    }
    // Counted in bytes: these are half as many characters.
    const wide = 'é'.repeat(32 * 1024)
    expect((await send('/api/documents', ['{"a":"', ...Array(17).fill(wide), '"}'])).status).toBe(413)
  })

  it('that trickles, or headers that do, cost the connection', async () => {
    server = await startTestServer({}, { headersTimeout: 40, requestTimeout: 80, connectionsCheckingInterval: 10 })
    const { hostname, port } = new URL(server.url)
    const head = `POST /api/documents HTTP/1.1\r\nhost: ${hostname}\r\n`
    const json = 'content-type: application/json\r\ncontent-length: 1000\r\n\r\n{'
    for (const text of [head, head + json]) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined).resume()
      socket.write(text)
      // The server's doing: this end has neither ended nor destroyed it.
      await once(socket, 'close')
      expect(socket.bytesWritten).toBe(text.length)
    }
  })
})
