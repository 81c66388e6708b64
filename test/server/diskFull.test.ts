import Database from 'better-sqlite3'
import { afterEach, expect, it } from 'vitest'
import { explainPostgresError } from '../../demo/server/store/postgres/explainPostgresError.ts'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'
import { explainSqliteError } from '../../demo/server/store/sqlite/explainSqliteError.ts'
import { StoreUnavailableError } from '../../demo/server/store/storeUnavailableError.ts'
import { createLives } from './support/createLives.ts'
import { createGate, createScriptedModel, finish, say } from './support/createScriptedModel.ts'
import { expectSoundLog } from './support/expectSoundLog.ts'
import { nameOf, readAll, readUntil } from './support/readFrames.ts'

let lives: ReturnType<typeof createLives> | undefined
afterEach(async () => {
  await lives?.close()
  lives = undefined
})

it('a full disk refuses what is to be stored for now, ends no run, and what was acknowledged stands', async () => {
  const database = new Database(':memory:')
  lives = createLives(createSqliteStore(':memory:', { database }))
  const long = 'A long word. '.repeat(40_000)
  const gate = createGate()
  const model = createScriptedModel([
    [say('Before. '), gate.opened, say(long), ...finish('stop')],
    [say('After.'), ...finish('stop')],
  ])
  const failures: unknown[] = []
  const server = await lives.live({ model, observer: { failed: (error) => void failures.push(error) } })
  const browser = server.createBrowser()
  const { frames, runId } = await browser.start('Go')
  const before = await readUntil(frames, 'message.delta')

  const pages = database.pragma('page_count', { simple: true }) as number
  database.pragma(`max_page_count = ${pages + 4}`)
  const refused = await browser.request('POST', '/api/documents', { title: 'T', content: long.slice(0, 90_000) })
  expect(refused).toMatchObject({ status: 503, body: { code: 'store_unavailable' } })
  expect(await browser.request('GET', `/api/agent/runs/${runId}`)).toMatchObject({ status: 200 })
  gate.open()
  while (!failures.some((error) => error instanceof StoreUnavailableError && error !== failures[0])) {
    // eslint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect((await browser.request('GET', `/api/agent/runs/${runId}`)).body).toMatchObject({ status: 'running' })

  database.pragma('max_page_count = 1000000')
  await server.close()
  const next = await lives.live({ model })
  const again = next.createBrowser(browser.getCookie())
  expect(await again.request('POST', '/api/documents', { title: 'T', content: long.slice(0, 90_000) })).toMatchObject({ status: 201 })
  const log = await readAll(await again.follow(runId))
  expectSoundLog(log, runId)
  const seen = before.map((frame) => frame.data)
  expect(log.slice(1, seen.length + 1).map((frame) => frame.data)).toEqual(seen)
  expect(nameOf(log.at(-1)!)).toBe('end')
})

it.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_CANTOPEN', 'SQLITE_READONLY_DBMOVED'])(
  'SQLite’s %s is a store that is not there for now',
  (code) => {
    expect(explainSqliteError(Object.assign(new Error('x'), { code }))).toBeInstanceOf(StoreUnavailableError)
  },
)

it.each(['53100', '53200', '53300', '58030', '25006', '57P01'])(
  'PostgreSQL’s %s is a store that is not there for now',
  (code) => {
    expect(explainPostgresError(Object.assign(new Error('x'), { code }))).toBeInstanceOf(StoreUnavailableError)
  },
)

it('any other error of a database is none of these', () => {
  for (const error of [Object.assign(new Error('x'), { code: 'SQLITE_ERROR' }), new Error('x'), null]) {
    expect(explainSqliteError(error)).toBe(error)
    expect(explainPostgresError(error)).toBe(error)
  }
})
