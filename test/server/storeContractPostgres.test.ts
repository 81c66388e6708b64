import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { appendEvents } from '../../demo/server/runs/appendEvents.ts'
import { createRunSignals } from '../../demo/server/runs/createRunSignals.ts'
import { createPostgresStore } from '../../demo/server/store/postgres/createPostgresStore.ts'
import type { RunServerStore } from '../../demo/server/store/runServerStore.ts'
import { StoreUnavailableError } from '../../demo/server/store/storeUnavailableError.ts'
import { createManualTimers } from './support/createManualTimers.ts'
import { createGate } from './support/createScriptedModel.ts'
import { createRunRow } from './support/createRunRow.ts'
import { startPostgres, type TestPostgres } from './support/startPostgres.ts'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

const stores: RunServerStore[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})
const open = async (connectionString: string, options: object = {}) => {
  const store = await createPostgresStore({ connectionString, poolSize: 4, ...options })
  stores.push(store)
  return store
}
const append = (store: RunServerStore) =>
  store.transaction((transaction) =>
    appendEvents(transaction, {
      runId: 'r1',
      drafts: [{ type: 'message.delta', payload: { messageId: 'm', delta: 'x' } }],
      now: 2,
    }),
  )

/** A follower that moves a cursor over whatever it can see, as every reader of a log does. */
async function followTwoWriters(
  write: { slow(committing: Promise<void>): Promise<void>; fast(): Promise<void> },
  read: (after: number) => Promise<number[]>,
) {
  const gate = createGate()
  const seen: number[] = []
  const look = async () => void seen.push(...(await read(seen.at(-1) ?? 0)))
  const slow = write.slow(gate.opened)
  const fast = write.fast()
  await Promise.race([fast, read(0)])
  await look()
  gate.open()
  await Promise.all([slow, fast])
  await look()
  return seen
}

describe('a cursor over two writers that commit in the other order', () => {
  it('misses nothing where the run’s counter gives the sequences', async () => {
    const database = await postgres.createDatabase()
    const store = await open(database)
    await store.transaction(({ runs }) => runs.insert(createRunRow()))
    const began = createGate()
    const seen = await followTwoWriters(
      {
        slow: (committing) =>
          store.transaction(async (transaction) => {
            const drafts = [{ type: 'message.delta' as const, payload: { messageId: 'm', delta: 'slow' } }]
            await appendEvents(transaction, { runId: 'r1', drafts, now: 1 })
            began.open()
            await committing
          }),
        fast: async () => {
          await began.opened
          await append(store)
        },
      },
      (after) => store.read(async ({ events }) => (await events.list({ runId: 'r1', after })).map(({ seq }) => seq)),
    )
    expect(seen).toEqual([1, 2])
  })

  it('passes one by where the database’s own sequence gives them (negative control)', async () => {
    const connectionString = await postgres.createDatabase()
    const clients = [1, 2, 3].map(() => new Client({ connectionString }))
    const [slowClient, fastClient, reader] = clients as [Client, Client, Client]
    for (const client of clients) await client.connect()
    await reader.query('CREATE TABLE log (seq BIGSERIAL PRIMARY KEY, text TEXT)')
    const began = createGate()
    const fastDone = createGate()
    const insert = (client: Client, text: string) => client.query('INSERT INTO log (text) VALUES ($1)', [text])
    const seen = await followTwoWriters(
      {
        async slow(committing) {
          await slowClient.query('BEGIN')
          await insert(slowClient, 'slow')
          began.open()
          await committing
          await slowClient.query('COMMIT')
        },
        async fast() {
          await began.opened
          await insert(fastClient, 'fast')
          fastDone.open()
        },
      },
      async (after) => {
        await fastDone.opened
        const { rows } = await reader.query<{ seq: string }>('SELECT seq FROM log WHERE seq > $1 ORDER BY seq', [after])
        return rows.map(({ seq }) => Number(seq))
      },
    )
    // The row with sequence 1 is in the table, and the cursor will never see it.
    expect(seen).toEqual([2])
    for (const client of clients) await client.end()
  })
})

describe('signals between nodes', () => {
  const setUp = async () => {
    const database = await postgres.createDatabase()
    const timers = createManualTimers()
    const hintTimers = createManualTimers()
    const [mine, other] = [await open(database, { setTimer: hintTimers.setTimer }), await open(database)]
    await mine.transaction(({ runs }) => runs.insert(createRunRow()))
    const signals = createRunSignals({ store: mine, setTimer: timers.setTimer, pollMs: 1_500 })
    const nextSignal = () =>
      new Promise<void>((resolve) => {
        const unsubscribe = signals.subscribe('r1', () => {
          unsubscribe()
          resolve()
        })
      })
    return { database, timers, hintTimers, mine, other, signals, nextSignal }
  }

  it('come by NOTIFY, gathered for a while, and again after the listening connection was lost', async () => {
    const { database, timers, hintTimers, other, signals, nextSignal } = await setUp()
    // Told when it listens: what was said before that may have been missed.
    await nextSignal()
    const publisherTimers = createManualTimers()
    const publisher = createRunSignals({ store: other, setTimer: publisherTimers.setTimer, pollMs: 1_500 })
    const first = nextSignal()
    publisher.notify('r1')
    publisher.notify('r1')
    publisherTimers.advance(20)
    await first
    await postgres.dropConnections(database, "query = 'LISTEN agent_runs'")
    await hintTimers.whenSet(250)
    const again = nextSignal()
    hintTimers.advance(250)
    await again
    publisher.close()
    signals.close()
    expect(timers.count()).toBe(0)
  })

  it('are made up for by looking, where no hint comes at all', async () => {
    const { timers, mine, other, signals } = await setUp()
    const silent = createRunSignals({ store: { ...mine, hints: undefined }, setTimer: timers.setTimer, pollMs: 1_500 })
    let count = 0
    const changed = createGate()
    silent.subscribe('r1', () => {
      count += 1
      if (count === 2) changed.open()
    })
    timers.advance(1_500)
    await timers.whenSet(1_500)
    // The first look only learns how things are.
    expect(count).toBe(1)
    await append(other)
    timers.advance(1_500)
    await changed.opened
    silent.close()
    signals.close()
  })
})

describe('a database that goes away', () => {
  it('is told by name where it lets nobody in any more, whatever it says, and is used again once it does', async () => {
    const database = await postgres.createDatabase()
    const store = await open(database)
    const isOpen = async (allowed: boolean) => {
      await postgres.allowConnections(database, allowed)
      return store.read(({ runs }) => runs.get('r1'))
    }
    await expect(isOpen(false)).rejects.toThrow(StoreUnavailableError)
    await expect(store.glance(({ runs }) => runs.get('r1'))).rejects.toThrow(StoreUnavailableError)
    expect(await isOpen(true)).toBeUndefined()
  })

  it('is told by name, keeps nothing of what was being written, and is used again once it is back', async () => {
    const database = await postgres.createDatabase()
    const store = await open(database)
    await store.transaction(({ runs }) => runs.insert(createRunRow()))
    const broken = store.transaction(async (transaction) => {
      await transaction.runs.update('r1', { model: 'other' })
      await postgres.dropConnections(database)
      return transaction.runs.get('r1')
    })
    await expect(broken).rejects.toThrow(StoreUnavailableError)
    expect(await store.read(({ runs }) => runs.get('r1'))).toMatchObject({ model: 'm' })
    await expect(createPostgresStore({ connectionString: 'postgresql://x@127.0.0.1:1/none' })).rejects.toThrow(
      StoreUnavailableError,
    )
  })
})
