import type { AgentRuntimeError } from '../agentRuntimeError.ts'
import { createDeferred, type Deferred } from './deferred.ts'

/** The queue of a run's commands, which go one at a time. */
export interface CommandQueue {
  /**
   * Does the work when its turn comes, once what `prepare` waits for is done; rejects where it was interrupted before.
   */
  add(work: () => Promise<void>, prepare?: () => Promise<void> | undefined): Promise<void>
  /** Rejects all that waits for its turn, with the error; what is under way goes on. */
  interrupt(error: AgentRuntimeError): void
}

export function createCommandQueue(): CommandQueue {
  const waiting = new Set<Deferred<void>>()
  let tail: Promise<unknown> = Promise.resolve()

  return {
    add(work, prepare) {
      const turn = createDeferred<void>()
      waiting.add(turn)
      // In one step: between its turn and its work nobody could interrupt it any more, yet nothing would have been sent.
      const begin = () => {
        if (waiting.delete(turn)) turn.resolve(work())
      }
      const take = () => (waiting.has(turn) ? (prepare?.()?.then(begin) ?? begin()) : undefined)
      const fail = (error: unknown) => {
        waiting.delete(turn)
        turn.reject(error)
      }
      void tail.then(take).catch(fail)
      // What was interrupted is done at once; what comes after it waits for those before it all the same.
      tail = Promise.allSettled([tail, turn.promise])
      return turn.promise
    },
    interrupt(error) {
      for (const turn of waiting) turn.reject(error)
      waiting.clear()
    },
  }
}
