import { createUuid } from '../../src/protocol/createUuid.ts'

/** What a runtime takes from its surroundings; each part can be injected, so that tests are exact. */
export interface AgentEnvironment {
  /** The clock, in milliseconds. */
  now(): number
  createId(): string
  /** Calls back after so many milliseconds; gives the function that calls it off. */
  setTimer(callback: () => void, delay: number): () => void
  /** Calls back before the next frame, where there are frames; gives the function that calls it off. */
  requestFrame?(callback: () => void): () => void
  /** Calls back in another task, soon, after the host had its turn; also in a hidden tab, whose timers are slow. */
  yieldToHost(callback: () => void): void
}

/** The surroundings of a browser, or of a server, which has no frames. */
export function createAgentEnvironment(): AgentEnvironment {
  return {
    now: Date.now,
    createId: createUuid,
    setTimer(callback, delay) {
      const timer = setTimeout(callback, delay)
      return () => clearTimeout(timer)
    },
    yieldToHost,
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
