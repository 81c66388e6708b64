import { AgentTransportError } from './agentTransportError.ts'

/** The timers that a transport waits with, so that tests can give their own. */
export interface AgentTransportTimers {
  setTimeout(callback: () => void, delay: number): unknown
  clearTimeout(handle: unknown): void
}

/** The host's own timers. */
export const globalTimers: AgentTransportTimers = {
  setTimeout: (callback, delay) => globalThis.setTimeout(callback, delay),
  clearTimeout: (handle) => globalThis.clearTimeout(handle as ReturnType<typeof setTimeout>),
}

/**
 * Makes a function that waits for a promise no longer than the signal and `idleTimeout` (milliseconds; 0 is for ever)
 * allow, whether or not the work behind the promise heeds the signal.
 */
export function createPatience(options: {
  signal: AbortSignal
  idleTimeout: number
  timers?: AgentTransportTimers | undefined
}): <Result>(work: Promise<Result>) => Promise<Result> {
  const { signal, idleTimeout, timers = globalTimers } = options
  return (work) =>
    new Promise((resolve, reject) => {
      const timer = idleTimeout > 0 ? timers.setTimeout(onTimeout, idleTimeout) : undefined
      function release(): void {
        if (timer !== undefined) timers.clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      function onAbort(): void {
        release()
        reject(signal.reason)
      }
      function onTimeout(): void {
        release()
        const message = `The stream was silent for ${idleTimeout} ms, so it counts as lost; reconnect.`
        reject(new AgentTransportError('idle_timeout', message, { retryable: true }))
      }
      work.finally(release).then(resolve, reject)
      if (signal.aborted) onAbort()
      else signal.addEventListener('abort', onAbort)
    })
}
