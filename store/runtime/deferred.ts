/** A promise with its ends outside. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>
  resolve(value: Value | PromiseLike<Value>): void
  reject(error: unknown): void
}

export function createDeferred<Value>(): Deferred<Value> {
  let resolve!: (value: Value | PromiseLike<Value>) => void
  let reject!: (error: unknown) => void
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}
