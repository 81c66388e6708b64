import type { Database } from 'better-sqlite3'

/** How many transactions share one commit at most, so that the first need not wait long for the last. */
const groupSize = 64

interface Job {
  isReading: boolean
  work(): Promise<unknown>
  resolve(value: never): void
  reject(error: unknown): void
}

/** Transactions one after the other; what waits at the same moment shares a commit. */
export interface SqliteQueue {
  /** Runs `work` on its own: what it wrote is taken back if it fails, what others wrote stands. */
  add<Result>(work: () => Promise<Result>, options: { isReading: boolean }): Promise<Result>
  /** Settles once all that was added has ended. */
  settle(): Promise<void>
}

/**
 * Makes the queue of one connection. A commit waits for the disk: it is what costs, not the rows. `requireInPlace`
 * throws where it would be in vain.
 */
export function createSqliteQueue(database: Database, { requireInPlace = () => {} } = {}): SqliteQueue {
  const runGroup = createGroupRunner(database, requireInPlace)
  let waiting: Job[] = []
  let draining: Promise<void> | undefined

  const drain = async () => {
    // Whatever this turn of the event loop still brings comes along.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const group = waiting.slice(0, groupSize)
      waiting = waiting.slice(groupSize)
      await runGroup(group)
    }
    draining = undefined
  }

  return {
    add: (work, { isReading }) =>
      new Promise((resolve, reject) => {
        waiting.push({ work, isReading, resolve, reject })
        draining ??= drain()
      }),
    async settle() {
      while (draining !== undefined) await draining
    },
  }
}

function createGroupRunner(database: Database, requireInPlace: () => void) {
  const prepare = (sql: string) => {
    const statement = database.prepare(sql)
    return () => void statement.run()
  }
  const beginToRead = prepare('BEGIN')
  const beginToWrite = prepare('BEGIN IMMEDIATE')
  const commit = prepare('COMMIT')
  const rollback = prepare('ROLLBACK')
  const savepoint = prepare('SAVEPOINT job')
  const release = prepare('RELEASE job')
  const rollbackToSavepoint = prepare('ROLLBACK TO job')

  /** Gives what tells the outcome, once it is committed; throws where the whole group was taken back by the database. */
  const runJob = async (job: Job): Promise<() => void> => {
    if (!job.isReading) savepoint()
    try {
      const value = await job.work()
      if (!job.isReading) release()
      return () => job.resolve(value as never)
    } catch (error) {
      if (!database.inTransaction) throw error
      if (!job.isReading) {
        rollbackToSavepoint()
        release()
      }
      return () => job.reject(error)
    }
  }

  return async (group: readonly Job[]): Promise<void> => {
    const settlements: (() => void)[] = []
    try {
      requireInPlace()
      if (group.every(({ isReading }) => isReading)) beginToRead()
      else beginToWrite()
      for (const job of group) settlements.push(await runJob(job))
      commit()
    } catch (error) {
      if (database.inTransaction) rollback()
      for (const { reject } of group) reject(error)
      return
    }
    for (const settle of settlements) settle()
  }
}
