import { createDeferred, type Deferred } from './deferred.ts'

type Finished = Promise<{ runId: string }>

/** Starts that wait for their session, as while it is restored or another tab owns it, by run. */
export interface HeldStarts {
  /** What a start that waits already ends with. */
  get(runId: string): Finished | undefined
  /** Begins a run once its session's waits are over, of which one may follow another. */
  hold(start: {
    runId: string
    sessionId: string
    wait: Promise<void>
    waitOn: () => Promise<void> | undefined
    begin: () => Finished
  }): Finished
  /** Gives up those that are meant: nothing was sent of them. */
  giveUp(isMeant?: (start: { runId: string; sessionId: string; wait: Promise<void> }) => boolean): void
}

export function createHeldStarts(): HeldStarts {
  const held = new Map<string, { sessionId: string; wait: Promise<void>; result: Deferred<{ runId: string }> }>()

  return {
    get: (runId) => held.get(runId)?.result.promise,

    hold({ runId, sessionId, wait: first, waitOn, begin }) {
      const result = createDeferred<{ runId: string }>()
      const start = { sessionId, result, wait: first }
      held.set(runId, start)
      // Given up meanwhile, it is no more; asked for again after that, it is another one.
      const isHeld = () => held.get(runId) === start
      async function beginLate() {
        for (let wait: Promise<void> | undefined = first; wait; wait = waitOn()) {
          await wait
          if (!isHeld()) return
        }
        held.delete(runId)
        begin().then(result.resolve, result.reject)
      }
      beginLate().catch((error: unknown) => {
        if (isHeld()) held.delete(runId)
        result.reject(error)
      })
      return result.promise
    },

    giveUp(isMeant = () => true) {
      for (const [runId, { sessionId, wait, result }] of [...held]) {
        if (!isMeant({ runId, sessionId, wait })) continue
        held.delete(runId)
        result.resolve({ runId })
      }
    },
  }
}
