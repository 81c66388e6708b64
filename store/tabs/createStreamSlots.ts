import { createDeferred } from '../runtime/deferred.ts'
import type { AgentTabLocks } from './agentTabs.ts'

// HTTP/1.1 gives a browser six connections to a server: these leave two for everything else.
const slotCount = 4

/** Lets at most four streams of a browser be open at once, whatever their tabs. */
export interface StreamSlots {
  /** Resolves with what gives the slot back; nothing where the wait was called off. `onWait` tells that there is one. */
  take(options: { signal: AbortSignal; onWait: () => void }): Promise<(() => void) | undefined>
}

export function createStreamSlots(options: {
  locks: AgentTabLocks
  nameOf: (slot: string) => string
}): StreamSlots {
  const { locks, nameOf } = options
  const names = Array.from({ length: slotCount }, (_, index) => nameOf(String(index)))

  /** Asks for one slot; gives what gives it back, or nothing. */
  function ask(slot: string, how: { ifAvailable?: boolean; signal?: AbortSignal }): Promise<(() => void) | undefined> {
    const answer = createDeferred<(() => void) | undefined>()
    const held = createDeferred<void>()
    async function request(): Promise<void> {
      try {
        await locks.request(slot, how, async (lock) => {
          answer.resolve(lock ? held.resolve : undefined)
          if (lock) await held.promise
        })
      } catch {
        // Called off, or refused by the host, where a stream goes without.
        answer.resolve(how.signal?.aborted ? undefined : () => undefined)
      }
    }
    void request()
    return answer.promise
  }

  async function queue(signal: AbortSignal): Promise<(() => void) | undefined> {
    const controller = new AbortController()
    const stop = () => controller.abort()
    signal.addEventListener('abort', stop)
    let taken: (() => void) | undefined
    async function waitFor(slot: string): Promise<void> {
      const release = await ask(slot, { signal: controller.signal })
      // Two may be free at once: one is enough.
      if (taken) release?.()
      else taken = release
      stop()
    }
    await Promise.all(names.map(waitFor))
    signal.removeEventListener('abort', stop)
    return taken
  }

  return {
    async take({ signal, onWait }) {
      for (const slot of names) {
        if (signal.aborted) return undefined
        const release = await ask(slot, { ifAvailable: true })
        if (release) return release
      }
      if (signal.aborted) return undefined
      onWait()
      return queue(signal)
    },
  }
}
