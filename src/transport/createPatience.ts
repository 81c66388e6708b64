import { toTimerDelay } from '../toTimerDelay.ts'
import { AgentTransportError } from './agentTransportError.ts'
import type { AgentTransportTimers } from './agentTransportTimers.ts'
import { globalTimers } from './globalTimers.ts'

/**
 * Makes a function that waits for a promise no longer than the signal and `idleTimeout` (milliseconds; 0 and `Infinity`
 * are for ever) allow, whether or not the work behind the promise heeds the signal.
 */
export function createPatience(options: {
  signal: AbortSignal
  idleTimeout: number
  timers?: AgentTransportTimers | undefined
  /** Makes what a wait that was too long rejects with; an `idle_timeout` by default. */
  onTimeout?: (() => unknown) | undefined
}): <Result>(work: Promise<Result>) => Promise<Result> {
  const { signal, idleTimeout, timers = globalTimers } = options
  const delay = toTimerDelay(idleTimeout)
  return (work) =>
    new Promise((resolve, reject) => {
      const timer = delay === undefined ? undefined : timers.setTimeout(onTimeout, delay)
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
        reject(options.onTimeout ? options.onTimeout() : toIdleTimeout(idleTimeout))
      }
      work.finally(release).then(resolve, reject)
      if (signal.aborted) onAbort()
      else signal.addEventListener('abort', onAbort)
    })
}

function toIdleTimeout(idleTimeout: number): AgentTransportError {
  const message = `The stream was silent for ${idleTimeout} ms, so it counts as lost; reconnect.`
  return new AgentTransportError('idle_timeout', message, { retryable: true })
}
