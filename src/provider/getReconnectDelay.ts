import { maxTimerDelay } from '../toTimerDelay.ts'

/** The longest wait that a server can ask for, in milliseconds. */
const maxServerDelay = 60_000

/**
 * Gives the wait before a reconnect, in milliseconds: exponential with full jitter, so that the clients of a server
 * that comes back do not all come at once (RFC, section 13.3).
 *
 * @example
 * getReconnectDelay({ attempt: 2, initialDelay: 500, maxDelay: 5000, random: () => 0.5 }) // 500
 */
export function getReconnectDelay(options: {
  /** 1 for the first reconnect. */
  attempt: number
  /** The upper bound of the first wait, in milliseconds; it doubles with each attempt. */
  initialDelay?: number | undefined
  /** The upper bound of every wait, in milliseconds. */
  maxDelay?: number | undefined
  /** What the server asked for, in milliseconds; up to a minute of it is the least. */
  retryAfter?: number | undefined
  random?: (() => number) | undefined
}): number {
  const { attempt, initialDelay = 500, maxDelay = 5000, retryAfter = 0, random = Math.random } = options
  // A longer wait than timers can count would be none.
  const bound = Math.min(maxDelay, initialDelay * 2 ** Math.max(0, attempt - 1), maxTimerDelay)
  return Math.max(Math.round(random() * bound), Math.min(retryAfter, maxServerDelay))
}
