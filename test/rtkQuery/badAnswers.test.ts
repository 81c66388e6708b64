import { describe, expect, it } from 'vitest'
import { createEndpointApp, settle } from './support/createEndpointApp.tsx'
import { createRunHost } from './support/createRunHost.ts'
import { holdTestClock } from './support/holdTestClock.ts'

holdTestClock()

const html = (status = 200) => new Response('<!doctype html><p>secret-page</p>', { status, headers: { 'content-type': 'text/html' } })
const json = (text: string, status = 200) => new Response(text, { status, headers: { 'content-type': 'application/json' } })

/** A host between which and the app something answers in its place, where it wants to. */
function createDisturbed() {
  const host = createRunHost()
  const run = host.createRun('r1', 'c1')
  run.speak('Some text.')
  let disturb: (path: string) => Response | undefined | Promise<never> = () => undefined
  const asked: string[] = []
  const fetch: typeof host.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input))
    asked.push(url.pathname)
    return (await disturb(url.pathname)) ?? host.fetch(input, init)
  }
  const app = createEndpointApp({ ...host, fetch }, { keepUnusedDataFor: 0 })
  const { api, store } = app
  return {
    ...app,
    host,
    run,
    asked,
    setDisturbance: (next: typeof disturb) => void (disturb = next),
    follow: () => store.dispatch(api.endpoints.followRun.initiate('r1')),
    entry: () => api.endpoints.followRun.select('r1')(store.getState()),
  }
}

const isWire = (path: string) => path.endsWith('/stream')

describe('an answer that is none', () => {
  it.each([
    ['an HTML error page', () => html(502), 'PARSING_ERROR'],
    ['an HTML page', () => html(), 'PARSING_ERROR'],
    ['broken JSON', () => json('{"runId": '), 'PARSING_ERROR'],
    ['JSON of something else', () => json('{"hello": 1}'), 'CUSTOM_ERROR'],
    ['a list of many things that are none', () => json(`{"events":[${'0,'.repeat(300_000)}0]}`), 'CUSTOM_ERROR'],
    ['nothing', () => new Response(null, { status: 204 }), 'CUSTOM_ERROR'],
    ['no answer', () => Promise.reject(new TypeError('down')), 'FETCH_ERROR'],
    ['a refusal', () => json('{"code":"no"}', 401), 401],
  ] as const)('is an error of RTK Query’s own shape, and opens no wire: %s', async (_, answer, status) => {
    const { setDisturbance, follow, asked, host, entry } = createDisturbed()
    setDisturbance(answer)
    const subscription = follow()
    await settle()
    expect(entry().error).toMatchObject({ status })
    expect(asked.filter(isWire)).toEqual([])
    setDisturbance(() => undefined)
    await subscription.refetch()
    await settle()
    expect(entry().data).toMatchObject({ connection: 'connected', status: 'running' })
    subscription.unsubscribe()
    await settle()
    const { opened, closed } = host.count()
    expect([opened, closed]).toEqual([1, 1])
  })

  it.each([
    ['an HTML error page', () => html(502)],
    ['an HTML page', () => html()],
    ['no answer', () => Promise.reject(new TypeError('down'))],
    ['a refusal', () => json('{"code":"unauthorized"}', 401)],
  ] as const)('of the wire is told in the entry, and asking again is enough: %s', async (_, answer) => {
    const app = createDisturbed()
    app.setDisturbance((path) => (isWire(path) ? answer() : undefined))
    const subscription = app.follow()
    for (let round = 0; round < 4; round += 1) {
      await settle()
      app.fireTimers(10)
      app.fireTimers(20)
    }
    expect(app.entry().data!.connection).toMatch(/failed|unrecoverable/)
    expect(app.entry().data!.error).toMatchObject({ code: expect.any(String) })
    expect(JSON.stringify(app.entry())).not.toContain('secret-page')
    app.setDisturbance(() => undefined)
    await subscription.refetch()
    await settle()
    expect(app.entry().data).toMatchObject({ connection: 'connected', status: 'running' })
    expect(app.entry().data).not.toHaveProperty('error')
    subscription.unsubscribe()
    await settle()
    expect(app.host.wireOf('r1')).toEqual({ opened: 1, closed: 1, atOnce: 1 })
  })

  it('of a log that was compacted is told, and not asked for again and again', async () => {
    const app = createDisturbed()
    app.run.end()
    const gone = { code: 'cursor_expired', earliestSeq: 9, checkpoint: { seq: 9, messages: [] } }
    app.setDisturbance((path) => (isWire(path) ? json(JSON.stringify(gone), 410) : undefined))
    const subscription = app.follow()
    await settle()
    expect(app.entry().data).toMatchObject({ status: 'completed', error: { code: expect.any(String) } })
    for (let round = 0; round < 5; round += 1) {
      app.fireTimers()
      await settle()
    }
    // Once more, as what is lost is looked at again, and no more.
    expect(app.asked.filter(isWire)).toHaveLength(2)
    subscription.unsubscribe()
  })
})
