import { createDeferred, type Deferred } from '../runtime/deferred.ts'
import { isPromiseLike } from './isPromiseLike.ts'
import type { Awaitable } from './awaitable.ts'

type Job = () => Awaitable<void>

/** Writes one thing at a time; a job that waits is replaced by a later one of its key, which speaks for both. */
export interface WriteQueue {
  /** Does the job now where nothing is under way, else later; says when it, or what replaced it, is done. */
  push(key: string, job: Job): Promise<void>
  /** Resolves once nothing is under way; it never rejects. */
  idle(): Promise<void>
}

export function createWriteQueue(): WriteQueue {
  const waiting = new Map<string, { job: Job; done: Deferred<void> }>()
  let isBusy = false
  let idle: Deferred<void> | undefined

  function start(job: Job, done: Deferred<void>): void {
    isBusy = true
    let outcome: Awaitable<void>
    try {
      outcome = job()
    } catch (error) {
      finish(() => done.reject(error))
      return
    }
    if (isPromiseLike(outcome)) {
      outcome.then(
        () => finish(() => done.resolve()),
        (error: unknown) => finish(() => done.reject(error)),
      )
    } else finish(() => done.resolve())
  }

  function finish(settle: () => void): void {
    isBusy = false
    settle()
    const next = waiting.entries().next()
    if (next.done) {
      idle?.resolve()
      idle = undefined
      return
    }
    const [key, { job, done }] = next.value
    waiting.delete(key)
    start(job, done)
  }

  return {
    push(key, job) {
      const known = waiting.get(key)
      if (known) {
        known.job = job
        return known.done.promise
      }
      const done = createDeferred<void>()
      if (isBusy) waiting.set(key, { job, done })
      else start(job, done)
      return done.promise
    },
    idle() {
      if (!isBusy) return Promise.resolve()
      idle ??= createDeferred<void>()
      return idle.promise
    },
  }
}
