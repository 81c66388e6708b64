import type { Awaitable } from './awaitable.ts'
import { isPromiseLike } from './isPromiseLike.ts'

/** Goes on with a value as soon as it is there: at once, where it is. */
export function chain<Value, Next>(
  value: Awaitable<Value>,
  proceed: (value: Value) => Awaitable<Next>,
): Awaitable<Next> {
  // A promise of its own: what a foreign `then` gives back is anything.
  return isPromiseLike(value) ? Promise.resolve(value).then(proceed) : proceed(value)
}
