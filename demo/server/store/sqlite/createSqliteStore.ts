import Database from 'better-sqlite3'
import type { RunServerStore } from '../runServerStore.ts'
import { applyMigrations } from '../sql/applyMigrations.ts'
import { createSqlTransaction } from '../sql/createSqlTransaction.ts'
import { createSqliteConnection } from './createSqliteConnection.ts'
import { createSqliteQueue } from './createSqliteQueue.ts'
import { explainSqliteError } from './explainSqliteError.ts'

/**
 * Opens the store in a SQLite file, or in memory with `:memory:`; what was acknowledged survives a crash. Several
 * processes of one machine may open the same file. `database` is what it works on where it is opened already.
 *
 * @example
 * const store = createSqliteStore('data/runs.sqlite')
 */
export function createSqliteStore(
  path: string,
  options: { now?(): number; database?: Database.Database } = {},
): RunServerStore {
  const { now = Date.now, database = new Database(path) } = options
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
    throw explainSqliteError(error)
  }
  const run = <Result>(work: (given: typeof transaction) => Promise<Result>, isReading: boolean): Promise<Result> =>
    migrated.then(() => queue.add(() => work(transaction), { isReading })).catch(explain)
  return {
    isShared: path !== ':memory:',
    transaction: (work) => run(work, false),
    read: (work) => run(work, true),
    glance: (work) => run(work, true),
    async close() {
      await queue.settle()
      database.close()
    },
  }
}
