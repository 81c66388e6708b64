import { createDeferred, type Deferred } from '../runtime/deferred.ts'
import type { AgentTabLocks } from './agentTabs.ts'

/** One tab's part in the lock that says which tab owns a session. */
export interface Ownership {
  /** Takes the lock where it is free; else says so by `onWaiting` and waits for its turn. */
  join(): void
  /** Takes the lock from whoever has it. */
  steal(): void
  /** Gives the lock back, or waits no longer. */
  leave(): void
}

export function createOwnership(options: {
  locks: AgentTabLocks
  name: string
  onOwned: () => void
  /** Another tab has the lock. */
  onWaiting: () => void
  /** The lock was taken from this tab. */
  onLost: () => void
  /** The host gives no locks after all. */
  onFailed: () => void
}): Ownership {
  const { locks, name, onOwned, onWaiting, onLost, onFailed } = options
  /** Counts what was asked for: what is answered late is none of what is asked now. */
  let turn = 0
  let held: Deferred<void> | undefined
  let queue: AbortController | undefined

  async function request(how: { ifAvailable?: boolean; steal?: boolean; signal?: AbortSignal }): Promise<void> {
    const own = turn
    let lease: Deferred<void> | undefined
    try {
      await locks.request(name, how, async (lock) => {
        if (own !== turn) return
        if (!lock) return wait()
        lease = createDeferred<void>()
        held?.resolve()
        held = lease
        queue?.abort()
        queue = undefined
        onOwned()
        await lease.promise
      })
    } catch {
      if (lease ? held !== lease : own !== turn || how.signal?.aborted) return
      held = undefined
      if (!lease) return onFailed()
      lease.resolve()
      turn += 1
      onLost()
      wait()
    }
  }

  function wait(): void {
    queue = new AbortController()
    void request({ signal: queue.signal })
    onWaiting()
  }

  return {
    join() {
      turn += 1
      void request({ ifAvailable: true })
    },
    steal: () => void request({ steal: true }),
    leave() {
      turn += 1
      queue?.abort()
      queue = undefined
      held?.resolve()
      held = undefined
    },
  }
}
