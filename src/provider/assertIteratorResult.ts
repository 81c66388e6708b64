/**
 * Refuses what is no result of an iterator, as `for await` does; a reader that took it for one would read for ever.
 *
 * @throws TypeError
 */
export function assertIteratorResult(result: unknown): void {
  if ((typeof result === 'object' && result !== null) || typeof result === 'function') return
  throw new TypeError('The stream is broken: next() of its iterator did not give an object with done and value.')
}
