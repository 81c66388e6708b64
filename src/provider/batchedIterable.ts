import { assertIteratorResult } from './assertIteratorResult.ts'

/** Key of a stream's second way to be read: by what has arrived at once. */
export const readInBatches: unique symbol = Symbol.for('redux-agent.readInBatches')

/**
 * A stream that can also be read batch by batch. A burst then costs one promise a read of the wire instead of one a
 * value, and what belongs together is told together.
 */
export interface BatchedIterable<Value> extends AsyncIterable<Value> {
  [readInBatches](): AsyncIterator<readonly Value[]>
}

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
