import { readInBatches, type BatchedIterable } from '../provider/batchedIterable.ts'

/**
 * Gives the values of batches one by one, without the cost that a generator's yield has for each: what a batch still
 * holds is there at once. Who can take whole batches gets them as they are.
 */
export function flattenBatches<Value>(
  batches: AsyncGenerator<readonly Value[], void, undefined>,
): AsyncIterableIterator<Value, void, undefined> & BatchedIterable<Value> {
  let queue: readonly Value[] = []
  let taken = 0
  let closed = false

  async function pull(): Promise<IteratorResult<Value, void>> {
    for (;;) {
      if (taken < queue.length) return { done: false, value: queue[taken++]! }
      const batch = await batches.next()
      if (batch.done || closed) return { done: true, value: undefined }
      // Appended: where two reads wait at once, the second must not lose what the first left.
      queue = taken < queue.length ? [...queue.slice(taken), ...batch.value] : batch.value
      taken = 0
    }
  }

  return {
    next: () => (taken < queue.length ? Promise.resolve({ done: false, value: queue[taken++]! }) : pull()),
    async return() {
      closed = true
      queue = []
      await batches.return()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
    [readInBatches]: () => batches,
  }
}
