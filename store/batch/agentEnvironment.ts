import { createUuid } from '../../src/protocol/createUuid.ts'
import { maxTimerDelay } from '../../src/toTimerDelay.ts'
import type { AgentTabChannel, AgentTabLocks } from '../tabs/agentTabs.ts'

/** What a runtime takes from its surroundings; each part can be injected, so that tests are exact. */
export interface AgentEnvironment {
  /** The clock, in milliseconds. */
  now(): number
  createId(): string
  /** Calls back after so many milliseconds, never after `Infinity`; gives the function that calls it off. */
  setTimer(callback: () => void, delay: number): () => void
  /** Calls back before the next frame, where there are frames; gives the function that calls it off. */
  requestFrame?(callback: () => void): () => void
  /** Calls back in another task, soon, after the host had its turn; also in a hidden tab, whose timers are slow. */
  yieldToHost(callback: () => void): void
  /** A number from 0 up to 1. */
  random(): number
  /** Whether the host has a network; true where it does not say. */
  isOnline(): boolean
  /**
   * Calls back each time a lost wire is worth another try at once: the host is online again, the page is visible again
   * or came back from the back/forward cache. Gives the function that calls it off.
   */
  onWake(callback: () => void): () => void
  /**
   * Calls back each time the page may be about to go: it is hidden, or left. What is not stored by the end of the
   * callback may be lost. Gives the function that calls it off.
   */
  onHide(callback: () => void): () => void
  /**
   * Calls `freeze` when the page goes, or is put to sleep, in the back/forward cache or by the browser; `thaw` when it
   * comes back from there. Gives the function that calls both off.
   */
  onFreeze(callbacks: { freeze: () => void; thaw: () => void }): () => void
  /** Web Locks; with `createChannel` tabs share their sessions. Absent where the host has no tabs. */
  readonly locks?: AgentTabLocks | undefined
  /** Opens a channel to the other tabs, as `new BroadcastChannel(name)` does. */
  createChannel?(name: string): AgentTabChannel
}

/** The surroundings of a browser, or of a server, which has no frames. */
export function createAgentEnvironment(): AgentEnvironment {
  return {
    now: Date.now,
    createId: createUuid,
    setTimer(callback, delay) {
      if (delay === Infinity) return () => undefined
      // A host's timer rings at once for what is longer than it can wait.
      const timer = setTimeout(callback, Math.min(delay, maxTimerDelay))
      return () => clearTimeout(timer)
    },
    yieldToHost,
    random: Math.random,
    // A host without the property has not said that it is offline.
    isOnline: () => (globalThis.navigator as Partial<Navigator> | undefined)?.onLine !== false,
    onWake,
    onHide,
    onFreeze,
    ...createTabParts(),
    ...(typeof requestAnimationFrame === 'function' && {
      requestFrame(callback: () => void) {
        const frame = requestAnimationFrame(callback)
        return () => cancelAnimationFrame(frame)
      },
    }),
  }
}

function yieldToHost(callback: () => void): void {
  if (typeof setImmediate === 'function') {
    setImmediate(callback)
    return
  }
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    port1.close()
    callback()
  }
  port2.postMessage(undefined)
}

function onHide(callback: () => void): () => void {
  if (typeof globalThis.addEventListener !== 'function') return () => undefined
  const controller = new AbortController()
  const { signal } = controller
  globalThis.addEventListener('pagehide', callback, { signal })
  globalThis.document?.addEventListener(
    'visibilitychange',
    () => globalThis.document.visibilityState === 'hidden' && callback(),
    { signal },
  )
  return () => controller.abort()
}

/** Only a page has tabs beside it: a server's workers, which may have the same parts, share nothing. */
function createTabParts(): Pick<AgentEnvironment, 'locks' | 'createChannel'> {
  const locks = (globalThis.navigator as Partial<Navigator> | undefined)?.locks as AgentTabLocks | undefined
  if (typeof document === 'undefined' || !locks || typeof BroadcastChannel !== 'function') return {}
  return { locks, createChannel: (name) => new BroadcastChannel(name) as AgentTabChannel }
}

function onFreeze({ freeze, thaw }: { freeze: () => void; thaw: () => void }): () => void {
  if (typeof globalThis.addEventListener !== 'function') return () => undefined
  const controller = new AbortController()
  const { signal } = controller
  globalThis.addEventListener('pagehide', freeze, { signal })
  globalThis.addEventListener('pageshow', (event) => event.persisted && thaw(), { signal })
  globalThis.document?.addEventListener('freeze', freeze, { signal })
  globalThis.document?.addEventListener('resume', thaw, { signal })
  return () => controller.abort()
}

function onWake(callback: () => void): () => void {
  if (typeof globalThis.addEventListener !== 'function') return () => undefined
  const controller = new AbortController()
  const { signal } = controller
  globalThis.addEventListener('online', callback, { signal })
  globalThis.addEventListener('pageshow', (event) => event.persisted && callback(), { signal })
  globalThis.document?.addEventListener(
    'visibilitychange',
    () => globalThis.document.visibilityState === 'visible' && callback(),
    { signal },
  )
  return () => controller.abort()
}
