/** Key of a stream's second way to be read: by what has arrived at once. */
export const readInBatches: unique symbol = Symbol.for('redux-agent.readInBatches')

/**
 * A stream that can also be read batch by batch. A burst then costs one promise a read of the wire instead of one a
 * value, and what belongs together is told together.
 */
export interface BatchedIterable<Value> extends AsyncIterable<Value> {
  [readInBatches](): AsyncIterator<readonly Value[]>
}
