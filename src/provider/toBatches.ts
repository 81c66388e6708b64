import { assertIteratorResult } from './assertIteratorResult.ts'
import { readInBatches, type BatchedIterable } from './batchedIterable.ts'

/** Gives a stream's batches; of a stream that has none, each value as a batch of its own. */
export function toBatches<Value>(stream: AsyncIterable<Value>): AsyncIterator<readonly Value[]> {
  if (readInBatches in stream) return (stream as BatchedIterable<Value>)[readInBatches]()
  const values = stream[Symbol.asyncIterator]()
  return {
    async next() {
      const result = await values.next()
      assertIteratorResult(result)
      const { done, value } = result
      return done ? { done, value: undefined } : { done: false, value: [value] }
    },
    async return() {
      await values.return?.()
      return { done: true, value: undefined }
    },
  }
}
