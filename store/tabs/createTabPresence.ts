import { createDeferred, type Deferred } from '../runtime/deferred.ts'
import type { AgentTabLocks } from './agentTabs.ts'

/** Tells tabs that are gone: each holds a lock of its own for as long as it is there. */
export interface TabPresence {
  enter(): void
  /** Neither holds a lock any more nor waits for one, as a page may not that is put to sleep. */
  leave(): void
  /** Calls back once another tab is gone; gives the function that ends the watch. */
  watch(tabId: string, onGone: () => void): () => void
}

export function createTabPresence(options: {
  locks: AgentTabLocks
  tabId: string
  nameOf: (tabId: string) => string
}): TabPresence {
  const { locks, tabId, nameOf } = options
  let held: Deferred<void> | undefined
  const watches = new Set<{ start(): void; stop(): void }>()

  /** What the host refuses is not told: then a tab's silence alone tells that it is gone. */
  async function request(name: string, signal: AbortSignal | undefined, work: () => Promise<void> | void) {
    try {
      await locks.request(name, signal ? { signal } : {}, async () => work())
    } catch {
      // Called off, or refused.
    }
  }

  return {
    enter() {
      if (held) return
      const lease = (held = createDeferred<void>())
      void request(nameOf(tabId), undefined, () => lease.promise)
      for (const watch of watches) watch.start()
    },
    leave() {
      held?.resolve()
      held = undefined
      for (const watch of watches) watch.stop()
    },
    watch(other, onGone) {
      let controller: AbortController | undefined
      const watch = {
        start() {
          const own = (controller = new AbortController())
          void request(nameOf(other), own.signal, () => {
            if (own.signal.aborted) return
            watches.delete(watch)
            onGone()
          })
        },
        stop: () => controller?.abort(),
      }
      watches.add(watch)
      if (held) watch.start()
      return () => {
        watches.delete(watch)
        watch.stop()
      }
    },
  }
}
