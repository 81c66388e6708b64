import Database from 'better-sqlite3'
import type { RunServerStore } from '../runServerStore.ts'
import { StoreConflictError } from '../storeConflictError.ts'
import { StoreUnavailableError } from '../storeUnavailableError.ts'
import { applyMigrations } from '../sql/applyMigrations.ts'
import { createSqlTransaction } from '../sql/createSqlTransaction.ts'
import { createSqliteConnection } from './createSqliteConnection.ts'
import { createSqliteQueue } from './createSqliteQueue.ts'

/**
 * Opens the store in a SQLite file, or in memory with `:memory:`; what was acknowledged survives a crash. Several
 * processes of one machine may open the same file.
 *
 * @example
 * const store = createSqliteStore('data/runs.sqlite')
 */
export function createSqliteStore(path: string, options: { now?(): number } = {}): RunServerStore {
  const { now = Date.now } = options
  const database = new Database(path)
  database.pragma('busy_timeout = 5000')
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  const connection = createSqliteConnection(database)
  const transaction = createSqlTransaction(connection)
  const queue = createSqliteQueue(database)
  const migrated = queue.add(() => applyMigrations(connection, now()), { isReading: false })
  // Whoever uses the store meets the failure.
  migrated.catch(() => undefined)
  const explain = (error: unknown): never => {
    const code = (error as { code?: unknown } | null)?.code
    if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
      throw new StoreConflictError({ cause: error })
    }
    if (code === 'SQLITE_BUSY') throw new StoreUnavailableError({ cause: error })
    throw error
  }
  const run = <Result>(work: (given: typeof transaction) => Promise<Result>, isReading: boolean): Promise<Result> =>
    migrated.then(() => queue.add(() => work(transaction), { isReading })).catch(explain)
  return {
    isShared: path !== ':memory:',
    transaction: (work) => run(work, false),
    read: (work) => run(work, true),
    async close() {
      await queue.settle()
      database.close()
    },
  }
}
