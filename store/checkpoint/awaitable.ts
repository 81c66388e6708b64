/** A value that is there, or comes: with a synchronous engine everything must happen before the call returns. */
export type Awaitable<Value> = Value | PromiseLike<Value>

/** Goes on with a value as soon as it is there: at once, where it is. */
export function chain<Value, Next>(
  value: Awaitable<Value>,
  proceed: (value: Value) => Awaitable<Next>,
): Awaitable<Next> {
  // A promise of its own: what a foreign `then` gives back is anything.
  return isPromiseLike(value) ? Promise.resolve(value).then(proceed) : proceed(value)
}

/** Runs now and tells the outcome as a promise; what it throws rejects. */
export function run<Value>(work: () => Awaitable<Value>): Promise<Value> {
  return new Promise((resolve) => {
    resolve(work())
  })
}

export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
