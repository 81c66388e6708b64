import Database from 'better-sqlite3'
import type { RunServerStore } from '../runServerStore.ts'
import { applyMigrations } from '../sql/applyMigrations.ts'
import { createSqlTransaction } from '../sql/createSqlTransaction.ts'
import { createFileWatch } from './createFileWatch.ts'
import { createSqliteConnection } from './createSqliteConnection.ts'
import { createSqliteQueue } from './createSqliteQueue.ts'
import { explainSqliteError } from './explainSqliteError.ts'

/**
 * Opens the store in a SQLite file, or in memory with `:memory:`; what was acknowledged survives a crash. Several
 * processes of one machine may open the same file. `database` is what it works on where it is opened already.
 *
 * @throws Error where the file cannot be opened.
 * @example
 * const store = createSqliteStore('data/runs.sqlite')
 */
export function createSqliteStore(
  path: string,
  options: { now?(): number; database?: Database.Database } = {},
): RunServerStore {
  const { now = Date.now } = options
  const database = openDatabase(path, options.database)
  const connection = createSqliteConnection(database)
  const transaction = createSqlTransaction(connection)
  const isFile = options.database === undefined && path !== ':memory:'
  const queue = createSqliteQueue(database, isFile ? { requireInPlace: createFileWatch(path) } : {})
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

/** Opens the file, and sets what every database is to do. */
function openDatabase(path: string, opened?: Database.Database): Database.Database {
  try {
    const database = opened ?? new Database(path)
    database.pragma('busy_timeout = 5000')
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    return database
  } catch (cause) {
    const code = String((cause as { code?: unknown } | null)?.code)
    throw new Error(
      `The SQLite file ${path} cannot be opened (${code}). It has to be a database of this server’s, in a folder that ` +
        'this process may write: put it right, or name another DATA_DIR.',
      { cause },
    )
  }
}
