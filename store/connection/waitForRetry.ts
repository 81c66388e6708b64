import type { AgentEnvironment } from '../batch/agentEnvironment.ts'

/** A wait before the next attempt; `hurry` ends it at once. */
export interface RetryWait {
  /** Whether it was over before its time, as the host came back. */
  readonly over: Promise<{ isWoken: boolean }>
  hurry(): void
}

/**
 * Waits for the time of the next attempt: so many milliseconds, or less where the host comes back online or to the
 * person's eye, yet never less than there must be; while the host is offline, until it is online. An abort
 * ends the wait.
 */
export function waitForRetry(options: {
  environment: AgentEnvironment
  delay: number
  /** How long at least the host's coming back ends no wait, as the server asked for; in milliseconds. */
  least: number
  signal: AbortSignal
}): RetryWait {
  const { environment, delay, least, signal } = options
  const begin = environment.now()
  let stop!: (isWoken?: boolean) => void
  const over = new Promise<{ isWoken: boolean }>((resolve) => {
    let isDue = false
    const attempt = () => {
      if (environment.isOnline()) stop(!isDue)
    }
    const stopTimer = environment.setTimer(() => {
      isDue = true
      attempt()
    }, delay)
    const stopWaking = environment.onWake(() => {
      if (isDue || environment.now() - begin >= least) attempt()
    })
    const onAbort = () => stop()
    stop = (isWoken = false) => {
      stopTimer()
      stopWaking()
      signal.removeEventListener('abort', onAbort)
      resolve({ isWoken })
    }
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) stop()
  })
  return { over, hurry: () => stop() }
}
