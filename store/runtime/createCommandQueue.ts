import { AgentRuntimeError } from '../agentRuntimeError.ts'
import { createDeferred, type Deferred } from './deferred.ts'

/** The queue of a run's commands, which go one at a time. */
export interface CommandQueue {
  /** Does the work when its turn comes; rejects where it was interrupted before. */
  add(work: () => Promise<void>): Promise<void>
  /** Rejects all that waits for its turn; what is under way goes on. */
  interrupt(): void
}

export function createCommandQueue(): CommandQueue {
  const waiting = new Set<Deferred<void>>()
  let tail: Promise<unknown> = Promise.resolve()

  return {
    add(work) {
      const turn = createDeferred<void>()
      waiting.add(turn)
      const begin = () => {
        waiting.delete(turn)
        turn.resolve()
      }
      void tail.then(begin)
      const done = turn.promise.then(work)
      // What was interrupted is done at once; what comes after it waits for those before it all the same.
      tail = Promise.allSettled([tail, done])
      return done
    },
    interrupt() {
      const message = 'Not sent: the run has ended or is being cancelled.'
      for (const turn of waiting) turn.reject(new AgentRuntimeError('interrupted', message))
      waiting.clear()
    },
  }
}
