import type { AgentEnvironment } from '../batch/agentEnvironment.ts'

/** A wait before the next attempt; `hurry` ends it at once. */
export interface RetryWait {
  readonly over: Promise<void>
  hurry(): void
}

/**
 * Waits for the time of the next attempt: so many milliseconds, or less where the host comes back online or to the
 * person's eye, yet never less than the server asked for; while the host is offline, until it is online. An abort
 * ends the wait.
 */
export function waitForRetry(options: {
  environment: AgentEnvironment
  delay: number
  /** What the server asked for, in milliseconds. */
  retryAfter: number
  signal: AbortSignal
}): RetryWait {
  const { environment, delay, retryAfter, signal } = options
  const begin = environment.now()
  let stop!: () => void
  const over = new Promise<void>((resolve) => {
    let isDue = false
    const attempt = () => {
      if (environment.isOnline()) stop()
    }
    const stopTimer = environment.setTimer(() => {
      isDue = true
      attempt()
    }, delay)
    const stopWaking = environment.onWake(() => {
      if (isDue || environment.now() - begin >= retryAfter) attempt()
    })
    stop = () => {
      stopTimer()
      stopWaking()
      signal.removeEventListener('abort', stop)
      resolve()
    }
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
  })
  return { over, hurry: () => stop() }
}
