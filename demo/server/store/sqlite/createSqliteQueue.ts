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

/** Makes the queue of one connection. A commit waits for the disk: it is what costs, not the rows. */
export function createSqliteQueue(database: Database): SqliteQueue {
  let waiting: Job[] = []
  let draining: Promise<void> | undefined

  const drain = async () => {
    // Whatever this turn of the event loop still brings comes along.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const group = waiting.slice(0, groupSize)
      waiting = waiting.slice(groupSize)
      await runGroup(database, group)
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

async function runGroup(database: Database, group: readonly Job[]): Promise<void> {
  const settlements: (() => void)[] = []
  try {
    database.exec(group.every(({ isReading }) => isReading) ? 'BEGIN' : 'BEGIN IMMEDIATE')
    for (const job of group) settlements.push(await runJob(database, job))
    database.exec('COMMIT')
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    for (const { reject } of group) reject(error)
    return
  }
  for (const settle of settlements) settle()
}

/** Gives what tells the outcome, once it is committed; throws where the whole group was taken back by the database. */
async function runJob(database: Database, job: Job): Promise<() => void> {
  if (!job.isReading) database.exec('SAVEPOINT job')
  try {
    const value = await job.work()
    if (!job.isReading) database.exec('RELEASE job')
    return () => job.resolve(value as never)
  } catch (error) {
    if (!database.inTransaction) throw error
    if (!job.isReading) database.exec('ROLLBACK TO job; RELEASE job')
    return () => job.reject(error)
  }
}
