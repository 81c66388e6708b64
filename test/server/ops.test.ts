import Database from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { createRunServer } from '../../demo/server/createRunServer.ts'
import { readSettings } from '../../demo/server/ops/readSettings.ts'
import { StoreUnavailableError } from '../../demo/server/store/storeUnavailableError.ts'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'
import { createManualTimers } from './support/createManualTimers.ts'
import { createOpsProbe } from './support/createOpsProbe.ts'
import { call, createGate, createScriptedModel, finish, say } from './support/createScriptedModel.ts'
import { readAll, readUntil } from './support/readFrames.ts'
import { sendRaw } from './support/sendRaw.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let server: TestServer | undefined
afterEach(() => server?.close())

/** The figures of /metrics by series. */
async function readMetrics(url: string, headers: Record<string, string> = {}): Promise<Map<string, number>> {
  const response = await fetch(`${url}/metrics`, { headers })
  expect(response.headers.get('content-type')).toContain('text/plain')
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

describe('/healthz', () => {
  it('is answered under any name, without a cookie, whatever the store does: a restart would mend none', async () => {
    const store = createSqliteStore(':memory:')
    let transaction: typeof store.transaction = store.transaction
    let read: typeof store.read = store.read
    server = await startTestServer({
      store: { ...store, transaction: (work) => transaction(work), read: (work) => read(work) },
    })
    transaction = () => new Promise(() => undefined)
    read = () => new Promise(() => undefined)
    expect(await sendRaw(`${server.url}/healthz`, { headers: { host: '10.1.2.3:8787' } })).toEqual({
      status: 200,
      body: { status: 'ok' },
      cookies: [],
    })
    transaction = store.transaction
    read = store.read
  })
})

describe('/readyz', () => {
  const ready = { status: 200, body: { status: 'ready', store: 'writable' }, cookies: [] }

  it('is answered under any name, without a cookie, and leaves nothing behind', async () => {
    const database = new Database(':memory:')
    server = await startTestServer({ store: createSqliteStore(':memory:', { database }) })
    expect(await sendRaw(`${server.url}/readyz`, { headers: { host: '10.1.2.3:8787' } })).toEqual(ready)
    expect(database.prepare('SELECT * FROM "agentIdempotencyRecords"').all()).toEqual([])
  })

  it('says when the store can only be read, and when it can again', async () => {
    const { now, setTimer, advance } = createManualTimers()
    const database = new Database(':memory:')
    server = await startTestServer({ now, setTimer, store: createSqliteStore(':memory:', { database }) })
    const readOnly = { status: 503, body: { status: 'failing', store: 'read-only' }, cookies: [] }
    database.pragma('query_only = 1')
    expect(await sendRaw(`${server.url}/readyz`)).toEqual(readOnly)
    expect((await sendRaw(`${server.url}/healthz`)).status).toBe(200)
    database.pragma('query_only = 0')
    advance(999)
    expect(await sendRaw(`${server.url}/readyz`)).toEqual(readOnly)
    advance(1)
    expect(await sendRaw(`${server.url}/readyz`)).toEqual(ready)
  })

  it('says when the store refuses, and when it does not answer', async () => {
    const timers = createManualTimers()
    const store = createSqliteStore(':memory:')
    let answer: (() => Promise<never>) | undefined
    server = await startTestServer({
      ...{ now: timers.now, setTimer: timers.setTimer, observer: { failed: () => undefined } },
      store: {
        ...store,
        transaction: (work) => answer?.() ?? store.transaction(work),
        read: (work) => answer?.() ?? store.read(work),
      },
    })
    const unreachable = { status: 503, body: { status: 'failing', store: 'unreachable' } }
    answer = () => Promise.reject(new StoreUnavailableError({ cause: undefined }))
    expect(await sendRaw(`${server.url}/readyz`)).toMatchObject(unreachable)
    timers.advance(1_000)
    const gate = createGate()
    answer = () => gate.opened.then(() => Promise.reject(new StoreUnavailableError({ cause: undefined })))
    const answered = sendRaw(`${server.url}/readyz`)
    for (let asked = 0; asked < 2; asked += 1) {
      await timers.whenSet(2_000)
      timers.advance(2_000)
      await Promise.resolve()
    }
    expect(await answered).toMatchObject(unreachable)
    gate.open()
    answer = undefined
    expect(await sendRaw(`${server.url}/readyz`)).toEqual(ready)
  })

  it('says that the server is being stopped, while it lives', async () => {
    const { app, close } = await createRunServer({ model: createScriptedModel([]) })
    const closed = close()
    expect((await app.request('http://localhost/readyz')).status).toBe(503)
    expect(await (await app.request('http://localhost/readyz')).json()).toEqual({ status: 'closing', store: 'unknown' })
    expect((await app.request('http://localhost/healthz')).status).toBe(200)
    await closed
  })

  it('makes the store write once a second, however often it is asked', async () => {
    const timers = createManualTimers()
    const store = createSqliteStore(':memory:')
    let writes = 0
    const counting: typeof store.transaction = (work) => {
      writes += 1
      return store.transaction(work)
    }
    server = await startTestServer({ now: timers.now, setTimer: timers.setTimer, store: { ...store, transaction: counting } })
    const { url } = server
    const before = writes
    await Promise.all(Array.from({ length: 20 }, () => sendRaw(`${url}/readyz`)))
    expect(writes - before).toBe(1)
  })
})

describe('/metrics', () => {
  it('tells what runs, events, streams, tools and the store did', async () => {
    const gate = createGate()
    const probe = createOpsProbe()
    const model = createScriptedModel([
      [call('document_search', { query: 'x' }), ...finish('tool_calls')],
      [say('Hm'), gate.opened, ...finish('stop')],
    ])
    server = await startTestServer({ ...probe.serverOptions, model })
    const browser = server.createBrowser()
    const run = await browser.start('Go')
    await readUntil(run.frames, 'message.delta')
    const before = await readMetrics(server.url)
    expect(before.get('redux_agent_runs{state="running"}')).toBe(1)
    expect(before.get('redux_agent_followers')).toBe(1)
    gate.open()
    await readAll(run.frames)
    const after = await readMetrics(server.url)
    const { body } = await browser.request<{ lastSeq: number }>('GET', `/api/agent/runs/${run.runId}/events`)
    expect(after.get('redux_agent_events_stored_total')).toBe(body.lastSeq)
    expect(after.get('redux_agent_runs{state="completed"}')).toBe(1)
    expect(after.get('redux_agent_runs{state="running"}')).toBe(0)
    expect(after.get('redux_agent_runs_ended_total{state="completed"}')).toBe(1)
    expect(after.get('redux_agent_runs_taken_total{taking="started"}')).toBe(1)
    expect(after.get('redux_agent_tool_calls_ended_total{status="succeeded"}')).toBe(1)
    expect(after.get('redux_agent_followers')).toBe(0)
    expect(after.get('redux_agent_store_seconds_count{operation="transaction"}')).toBeGreaterThan(5)
    expect(after.get('redux_agent_append_to_follower_seconds_count')).toBeGreaterThan(0)
    expect(after.get('redux_agent_http_requests_total{method="POST",status="200"}')).toBe(1)
  })

  it('counts what ends by a command, what fails and what is retried, whoever stored it', async () => {
    const probe = createOpsProbe()
    const gate = createGate()
    const model = createScriptedModel([[say('Hm'), gate.opened]])
    server = await startTestServer({ ...probe.serverOptions, model })
    const browser = server.createBrowser()
    const run = await browser.start('Go')
    await browser.command(browser.commands(run.runId).create('run.cancel', {}))
    await readAll(run.frames)
    expect((await readMetrics(server.url)).get('redux_agent_runs_ended_total{state="cancelled"}')).toBe(1)
    gate.open()
  })

  it('has no series more for more people, runs, tools or addresses', async () => {
    const probe = createOpsProbe()
    const model = createScriptedModel(
      Array.from({ length: 6 }, (_, index) => [call(`tool-${index}`, {}), ...finish('tool_calls')]),
    )
    server = await startTestServer({ ...probe.serverOptions, model })
    const live = async (index: number) => {
      const browser = server!.createBrowser()
      await readAll((await browser.start('Go', { runId: `run-${index}` })).frames)
      await browser.request('GET', `/api/agent/runs/${index}`)
      await browser.request('GET', `/api/nothing/${index}`)
    }
    await live(0)
    await readMetrics(server.url)
    const before = [...(await readMetrics(server.url)).keys()]
    for (let index = 1; index < 4; index += 1) await live(index)
    const after = [...(await readMetrics(server.url)).keys()]
    expect(after).toEqual(before)
    expect(after.join('\n')).not.toMatch(/run-\d|tool-\d/)
  })

  it('wants its token where it has one, and is not there at all without metrics', async () => {
    const probe = createOpsProbe()
    server = await startTestServer({ ...probe.serverOptions, metricsToken: 'right-token' })
    for (const authorization of ['', 'Bearer wrong-token', 'right-token', 'Bearer right-token2']) {
      expect((await sendRaw(`${server.url}/metrics`, { headers: { authorization } })).status).toBe(404)
    }
    expect((await readMetrics(server.url, { authorization: 'Bearer right-token' })).size).toBeGreaterThan(20)
    expect((await sendRaw(`${server.url}/metrics`, { headers: { host: 'evil.example' } })).status).toBe(421)
    await server.close()
    server = await startTestServer()
    expect((await sendRaw(`${server.url}/metrics`)).status).toBe(404)
  })

  it('is still told when the store cannot be reached', async () => {
    const store = createSqliteStore(':memory:')
    let read: typeof store.read = store.read
    const probe = createOpsProbe({ store: { ...store, read: (work) => read(work) } })
    server = await startTestServer(probe.serverOptions)
    read = () => Promise.reject(new StoreUnavailableError({ cause: undefined }))
    expect((await sendRaw(`${server.url}/api/documents`)).status).toBe(503)
    const metrics = await readMetrics(server.url)
    expect(metrics.get('redux_agent_store_failures_total{operation="read"}')).toBeGreaterThan(0)
    expect(metrics.get('redux_agent_failures_total')).toBeGreaterThan(0)
    expect(metrics.has('redux_agent_runs{state="running"}')).toBe(false)
    read = store.read
  })
})

describe('the log', () => {
  it('is one object a line, with the run and the sequence, and without what was said', async () => {
    const probe = createOpsProbe()
    const model = createScriptedModel([[say('Quite private'), ...finish('stop')]])
    server = await startTestServer({ ...probe.serverOptions, model })
    const browser = server.createBrowser()
    const { frames, runId } = await browser.start('Also private')
    const read = await readAll(frames)
    await browser.send('/api/agent/conversations?before=secret-query')
    await server.close()
    const records = probe.records()
    for (const record of records) {
      expect(record).toMatchObject({ time: expect.any(String), msg: expect.any(String) })
      expect(['debug', 'info']).toContain(record.level)
    }
    const seq = Number(read.findLast(({ id }) => id !== undefined)!.id)
    expect(records).toContainEqual(expect.objectContaining({ msg: 'run taken', runId, taking: 'started', epoch: 1 }))
    expect(records).toContainEqual(expect.objectContaining({ msg: 'run ended', runId, seq, state: 'completed' }))
    expect(records).toContainEqual(
      expect.objectContaining({ msg: 'request', method: 'POST', path: '/api/agent/stream', status: 200 }),
    )
    expect(probe.lines.join('')).not.toMatch(/private|secret-query|redux_agent_session/)
  })
})

describe('the settings', () => {
  it('are those of the environment, an empty one being none', () => {
    const settings = readSettings({ PORT: '0', HOST: '', MODELS: ' a, b ,', SECRET_PATTERNS: '["x\\\\d"]', PATH: 'x' })
    expect(settings).toMatchObject({ PORT: 0, HOST: '127.0.0.1', MODELS: ['a', 'b'], LOG_LEVEL: 'info' })
    expect(settings.SECRET_PATTERNS).toEqual(['x\\d'])
    expect(settings).not.toHaveProperty('PATH')
  })

  it.each([
    ['PORT', 'x'],
    ['MAX_STREAMS', '-1'],
    ['LOG_LEVEL', 'loud'],
    ['SECRET_PATTERNS', 'x,y'],
    ['SESSION_SECRET', 'too-short-secret'],
  ])('name %s where it does not fit, and not its value', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`${name}: `))
    expect(() => readSettings({ [name]: value })).not.toThrow(new RegExp(`: .*${value}`))
  })
})
