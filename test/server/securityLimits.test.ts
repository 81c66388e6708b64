import { afterEach, describe, expect, it } from 'vitest'
import { createTokenBuckets } from '../../demo/server/http/createTokenBuckets.ts'
import { createManualTimers } from './support/createManualTimers.ts'
import { createOpsProbe } from './support/createOpsProbe.ts'
import { createGate, createScriptedModel, finish, say } from './support/createScriptedModel.ts'
import { readAll } from './support/readFrames.ts'
import { sendRaw } from './support/sendRaw.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let server: TestServer
afterEach(() => server?.close())

describe('a person', () => {
  it('who asks too often is told when to come again, and others are not held up', async () => {
    const timers = createManualTimers()
    const probe = createOpsProbe()
    const limit = { burst: 5, perSecond: 0.5 }
    server = await startTestServer({ ...probe.serverOptions, now: timers.now, rateLimits: { owner: limit } })
    const [one, other] = [server.createBrowser(), server.createBrowser()]
    // The first request brings the cookie: it was somebody else’s.
    await one.request('GET', '/api/documents')
    const ask = async () => (await one.request('GET', '/api/documents')).status
    const statuses = []
    for (let index = 0; index < 5; index += 1) statuses.push(await ask())
    expect(statuses).toEqual([200, 200, 200, 200, 429])
    const refused = await one.send('/api/agent/conversations')
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' })
    expect((await other.request('GET', '/api/documents')).status).toBe(200)
    timers.advance(2_000)
    expect([await ask(), await ask()]).toEqual([200, 429])
    expect(await probe.metrics.print()).toContain('redux_agent_http_refusals_total{reason="rate_limited"} 3')
  })

  it('who writes too often can still read', async () => {
    const timers = createManualTimers()
    server = await startTestServer({ now: timers.now, rateLimits: { writing: { burst: 2, perSecond: 1 } } })
    const browser = server.createBrowser()
    const write = async () => (await browser.request('POST', '/api/documents', { title: 'x', content: '' })).status
    await browser.request('GET', '/api/documents')
    expect([await write(), await write(), await write()]).toEqual([201, 201, 429])
    expect((await browser.request('GET', '/api/documents')).status).toBe(200)
  })

  it('holds only so many streams open, and one that ends makes room', async () => {
    const gate = createGate()
    const probe = createOpsProbe()
    const model = createScriptedModel([[say('Hm'), gate.opened, ...finish('stop')]])
    server = await startTestServer({ ...probe.serverOptions, model, maxStreams: 3 })
    const browser = server.createBrowser()
    const run = await browser.start('Go')
    const path = `/api/agent/runs/${run.runId}/stream`
    const streams = [await browser.send(path), await browser.send(path)]
    const refused = await browser.send(path)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    expect(await refused.json()).toMatchObject({ code: 'too_many_streams' })
    // Nobody reads the stream of a HEAD: it is none.
    for (let index = 0; index < 5; index += 1) {
      expect([200, 429]).toContain((await browser.send(path, { method: 'HEAD' })).status)
    }
    await streams[0]!.body!.cancel()
    await expect.poll(async () => (await browser.send(path, { method: 'GET' })).status).toBe(200)
    gate.open()
    await readAll(run.frames)
    for (let index = 0; index < 5; index += 1) {
      expect(await (await browser.send(path)).text()).toContain('event: end')
    }
    await streams[1]!.text()
  })
})

describe('an address', () => {
  const limits = { address: { burst: 3, perSecond: 1 } }
  const ask = async (headers: Record<string, string> = {}) =>
    (await sendRaw(`${server.url}/api/documents`, { headers })).status

  it('that asks too often is refused, however many people it says it is', async () => {
    const timers = createManualTimers()
    server = await startTestServer({ now: timers.now, rateLimits: limits })
    const statuses = []
    for (let index = 0; index < 5; index += 1) statuses.push(await ask({ 'x-forwarded-for': `10.0.0.${index}` }))
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    timers.advance(1_000)
    expect(await ask()).toBe(200)
  })

  it('is what the proxy has seen, where there is one, and nothing that stands before it', async () => {
    const timers = createManualTimers()
    server = await startTestServer({ now: timers.now, rateLimits: limits, trustedProxies: 1 })
    const statuses = []
    for (let index = 0; index < 4; index += 1) {
      statuses.push(await ask({ 'x-forwarded-for': `10.0.0.${index}, 192.0.2.1` }))
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    expect(await ask({ 'x-forwarded-for': '192.0.2.2' })).toBe(200)
  })
})

describe('the buckets of a limit', () => {
  it('remember no more than so many, however many come', () => {
    let now = 0
    const buckets = createTokenBuckets({ burst: 1, perSecond: 1, now: () => now })
    expect(buckets.take('first')).toBe(0)
    expect(buckets.take('first')).toBe(1)
    for (let index = 0; index < 50_000; index += 1) buckets.take(`other-${index}`)
    expect(buckets.take('other-49999')).toBe(1)
    now = 1_000
    expect(buckets.take('other-49999')).toBe(0)
  })

  it('are not filled by a clock that goes back', () => {
    let now = 10_000
    const buckets = createTokenBuckets({ burst: 2, perSecond: 1, now: () => now })
    expect([buckets.take('a'), buckets.take('a')]).toEqual([0, 0])
    now = 0
    expect(buckets.take('a')).toBe(1)
  })
})
