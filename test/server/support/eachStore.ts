import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { createPostgresStore } from '../../../demo/server/store/postgres/createPostgresStore.ts'
import type { RunServerStore } from '../../../demo/server/store/runServerStore.ts'
import { createSqliteStore } from '../../../demo/server/store/sqlite/createSqliteStore.ts'
import { startPostgres, type TestPostgres } from './startPostgres.ts'

/** A database of a test's own, and as many processes' stores of it as the test opens. */
export interface StoreFactory {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** Opens the test's database once more, as another process would. */
  open(): Promise<RunServerStore>
}

/** Runs a suite on each store; every test has an empty database, and all of its stores are closed after it. */
export function describeEachStore(title: string, suite: (stores: StoreFactory) => void): void {
  describe(`${title} (SQLite)`, () => {
    let folder: string | undefined
    const opened = closeAfterEach()
    afterEach(() => {
      if (folder !== undefined) rmSync(folder, { recursive: true })
      folder = undefined
    })
    suite({
      name: 'SQLite',
      async open() {
        folder ??= mkdtempSync(join(tmpdir(), 'run-server-store-'))
        return opened(createSqliteStore(join(folder, 'runs.sqlite')))
      },
    })
  })

  describe(`${title} (PostgreSQL)`, () => {
    let postgres: TestPostgres | undefined
    let database: Promise<string> | undefined
    beforeAll(async () => {
      postgres = await startPostgres()
    })
    afterAll(() => postgres?.stop())
    const opened = closeAfterEach()
    afterEach(() => {
      database = undefined
    })
    suite({
      name: 'PostgreSQL',
      async open() {
        database ??= postgres!.createDatabase()
        return opened(await createPostgresStore({ connectionString: await database, poolSize: 8 }))
      },
    })
  })
}

/** Stores are closed before their database goes: hooks run in the reverse of their order. */
function closeAfterEach() {
  const stores: RunServerStore[] = []
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
  })
  return (store: RunServerStore) => {
    stores.push(store)
    return store
  }
}
