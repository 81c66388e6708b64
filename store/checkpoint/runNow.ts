import type { Awaitable } from './awaitable.ts'

/** Runs now and tells the outcome as a promise; what it throws rejects. */
export function runNow<Value>(work: () => Awaitable<Value>): Promise<Value> {
  return new Promise((resolve) => {
    resolve(work())
  })
}
