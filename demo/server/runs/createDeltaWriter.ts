import type { EventRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { StoreUnavailableError } from '../store/storeUnavailableError.ts'
import { createRows } from './createRows.ts'
import type { DeltaDraft } from './eventDraft.ts'
import type { RunServices } from './runServices.ts'

/** Pieces of text of one run, under its lease's epoch. */
export interface DeltaAppend {
  runId: string
  epoch: number
  drafts: readonly DeltaDraft[]
}

/**
 * Stores pieces of text of many runs together: all that came while the ones before were on their way is one
 * transaction of two statements. Gives the rows, or undefined where this run has to be stored by itself: its row is
 * locked, its lease or its end forbids it, or what went wrong may be another run's.
 *
 * @throws StoreUnavailableError
 */
export type DeltaWriter = (append: DeltaAppend) => Promise<EventRow[] | undefined>

interface Job extends DeltaAppend {
  resolve(rows: EventRow[] | undefined): void
  reject(error: unknown): void
}

/** How many runs share one transaction at most, so that a failure concerns few. */
const batchSize = 64

/** Makes the writer of one process. */
export function createDeltaWriter({ store, now, crashPoint }: Pick<RunServices, 'store' | 'now' | 'crashPoint'>): DeltaWriter {
  let waiting: Job[] = []
  let isDraining = false

  const storeAll = (jobs: readonly Job[]) =>
    store.transaction(async (transaction) => {
      const at = now()
      const requests = jobs.map(({ runId, epoch, drafts }) => ({ runId, epoch, count: drafts.length, now: at }))
      const runs = new Map((await transaction.runs.takeFreeSequences(requests)).map((run) => [run.runId, run]))
      const rowsOf = new Map<Job, EventRow[]>()
      for (const job of jobs) {
        const run = runs.get(job.runId)
        if (run === undefined) continue
        crashPoint('event.before')
        rowsOf.set(job, createRows(run, job.drafts, at))
      }
      await insertAll(transaction, [...rowsOf.values()].flat())
      return rowsOf
    })
  const drain = async () => {
    isDraining = true
    // Whatever this turn of the event loop still brings comes along.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const jobs = waiting.slice(0, batchSize)
      waiting = waiting.slice(batchSize)
      try {
        const rowsOf = await storeAll(jobs)
        for (const job of jobs) job.resolve(rowsOf.get(job))
      } catch (error) {
        for (const job of jobs) {
          if (error instanceof StoreUnavailableError) job.reject(error)
          else job.resolve(undefined)
        }
      }
    }
    isDraining = false
  }

  return (append) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...append, resolve, reject })
      if (!isDraining) void drain()
    })
}

async function insertAll({ events }: RunServerTransaction, rows: readonly EventRow[]): Promise<void> {
  if (rows.length > 0) await events.insert(rows)
}
