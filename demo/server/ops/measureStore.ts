import type { EventRow } from '../store/rows.ts'
import type { RunServerStore, RunServerTransaction } from '../store/runServerStore.ts'
import { StoreUnavailableError } from '../store/storeUnavailableError.ts'
import type { Metrics } from './createMetrics.ts'

/** A store whose transactions and reads are timed; `onStored` is told of events once they are committed. */
export function measureStore(
  store: RunServerStore,
  options: { metrics: Pick<Metrics, 'storeLatency' | 'storeFailures'>; onStored(rows: readonly EventRow[]): void },
): RunServerStore {
  const { metrics, onStored } = options
  const measure = async <Result>(operation: 'transaction' | 'read', work: () => Promise<Result>): Promise<Result> => {
    const end = metrics.storeLatency.startTimer({ operation })
    try {
      return await work()
    } catch (error) {
      // What a transaction itself refuses is none of the store's.
      if (error instanceof StoreUnavailableError) metrics.storeFailures.inc({ operation })
      throw error
    } finally {
      end()
    }
  }
  return {
    ...store,
    async transaction(work) {
      let stored: EventRow[] = []
      const result = await measure('transaction', () =>
        store.transaction((transaction) => {
          // It may be run again.
          stored = []
          return work(collectEvents(transaction, stored))
        }),
      )
      if (stored.length > 0) onStored(stored)
      return result
    },
    read: (work) => measure('read', () => store.read(work)),
    glance: (work) => measure('read', () => store.glance(work)),
  }
}

function collectEvents(transaction: RunServerTransaction, stored: EventRow[]): RunServerTransaction {
  const { events } = transaction
  return {
    ...transaction,
    events: {
      ...events,
      async insert(rows) {
        await events.insert(rows)
        stored.push(...rows)
      },
    },
  }
}
