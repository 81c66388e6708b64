import { Pool, types, type PoolClient } from 'pg'
import { setNodeTimer, type SetTimer } from '../../setTimer.ts'
import type { RunServerStore, RunServerTransaction } from '../runServerStore.ts'
import { applyMigrations } from '../sql/applyMigrations.ts'
import { createSqlTransaction } from '../sql/createSqlTransaction.ts'
import type { SqlConnection } from '../sql/sqlConnection.ts'
import { StoreUnavailableError } from '../storeUnavailableError.ts'
import { createPostgresConnection } from './createPostgresConnection.ts'
import { createPostgresHints } from './createPostgresHints.ts'
import { explainPostgresError, isPostgresConflict } from './explainPostgresError.ts'

const maxAttempts = 5
/** Any number that no other program of this database uses. */
const migrationLock = 7_274_091

/** Settings of the store; times are in milliseconds. */
export interface PostgresStoreOptions {
  connectionString: string
  /** How many connections this process opens at most; 10 by default, and one more to listen. */
  poolSize?: number
  /** How long a transaction may stand still before the database ends it: its process may be frozen; 5 s by default. */
  maxIdleMs?: number
  now?(): number
  setTimer?: SetTimer
}

/** Sums and counters come as BIGINT, all of them far below what a number holds exactly. */
const parsers = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === types.builtins.INT8 ? Number : (types.getTypeParser(id, format as 'text') as (text: string) => unknown),
}

/**
 * Opens the store in a PostgreSQL database, which several nodes may share, and brings its schema up to date.
 *
 * @throws StoreUnavailableError where it cannot be reached.
 * @example
 * const store = await createPostgresStore({ connectionString: process.env.DATABASE_URL })
 */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<RunServerStore> {
  const { connectionString, poolSize = 10, maxIdleMs = 5_000, now = Date.now, setTimer = setNodeTimer } = options
  const pool = new Pool({
    connectionString,
    max: poolSize,
    types: parsers as never,
    pipeline: true,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    lock_timeout: 10_000,
    // A process that froze within a transaction must not keep a run locked for ever.
    idle_in_transaction_session_timeout: maxIdleMs,
  })
  // A connection that breaks while nobody uses it is replaced when somebody needs one.
  pool.on('error', () => undefined)
  // Nor may one end the process that breaks as it is handed over, in the moment in which nobody listens to it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  // Statements are prepared once for a client.
  const known = new WeakMap<PoolClient, { connection: SqlConnection; transaction: RunServerTransaction }>()
  const adopt = (client: PoolClient) => {
    const found = known.get(client)
    if (found !== undefined) return found
    const connection = createPostgresConnection(client)
    const made = { connection, transaction: createSqlTransaction(connection) }
    known.set(client, made)
    return made
  }

  const withClient = async <Result>(
    work: (client: PoolClient, fail: (error: Error) => void) => Promise<Result>,
  ): Promise<Result> => {
    // Whatever keeps one from connecting: a wrong password and a database that lets nobody in are no errors of the work.
    const client = await pool.connect().catch((cause: unknown) => {
      throw new StoreUnavailableError({ cause })
    })
    let failure: Error | undefined
    const onError = (error: Error) => {
      failure = error
    }
    client.on('error', onError)
    try {
      return await work(client, onError)
    } finally {
      client.off('error', onError)
      // One that is broken is thrown away.
      client.release(failure)
    }
  }
  const attempt = <Result>(begin: string, work: (client: PoolClient) => Promise<Result>): Promise<Result> =>
    withClient(async (client, fail) => {
      try {
        await client.query(begin)
        const result = await work(client)
        await client.query('COMMIT')
        return result
      } catch (error) {
        await client.query('ROLLBACK').catch(fail)
        throw error
      }
    })
  const run = async <Result>(begin: string, work: (client: PoolClient) => Promise<Result>): Promise<Result> => {
    for (let count = 1; ; count += 1) {
      try {
        return await attempt(begin, work)
      } catch (error) {
        if (count === maxAttempts || !isPostgresConflict(error)) throw explainPostgresError(error)
      }
    }
  }

  try {
    await run('BEGIN', async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
      await applyMigrations(adopt(client).connection, now())
    })
  } catch (error) {
    await pool.end()
    throw error
  }
  const hints = createPostgresHints({ connectionString, pool, setTimer })
  let closed: Promise<void> | undefined
  const end = async () => {
    await hints.close()
    await pool.end()
  }
  return {
    isShared: true,
    hints,
    transaction: (work) => run('BEGIN', (client) => work(adopt(client).transaction)),
    read: (work) =>
      run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', (client) => work(adopt(client).transaction)),
    // Its reads go out together and need no transaction around them.
    glance: (work) =>
      withClient((client) => work(adopt(client).transaction)).catch((error: unknown) => {
        throw explainPostgresError(error)
      }),
    close: () => (closed ??= end()),
  }
}
