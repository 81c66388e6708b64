import Database from 'better-sqlite3'
import type { RunServerStore } from '../runServerStore.ts'
import { createSqliteTransaction } from './createSqliteTransaction.ts'
import { schema } from './schema.ts'

/**
 * Opens the store in a SQLite file, or in memory with `:memory:`; what was acknowledged survives a crash.
 *
 * @example
 * const store = createSqliteStore('data/runs.sqlite')
 */
export function createSqliteStore(path: string): RunServerStore {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('busy_timeout = 5000')
  database.exec(schema)
  const transaction = createSqliteTransaction(database)
  // One connection: transactions queue up, so that nothing reads what another has not committed.
  let last: Promise<unknown> = Promise.resolve()
  return {
    transaction(work) {
      const result = last.then(async () => {
        database.exec('BEGIN IMMEDIATE')
        try {
          const value = await work(transaction)
          database.exec('COMMIT')
          return value
        } catch (error) {
          if (database.inTransaction) database.exec('ROLLBACK')
          throw error
        }
      })
      last = result.catch(() => undefined)
      return result
    },
    async close() {
      await last
      database.close()
    },
  }
}
