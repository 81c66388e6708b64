import { readNumberOption } from '../readNumberOption.ts'

/** How a lost wire is taken up again (RFC, sections 11.1 and 13.3). */
export interface AgentReconnectOptions {
  /**
   * How many attempts may fail one after the other, with nothing new between them; 3 by default, `Infinity` for no end.
   * One that is made before its time, as the page or the host came back, is not counted.
   */
  maxAttempts?: number
  /**
   * The upper bound of the first wait, in milliseconds; it doubles with each attempt. 500 by default. What comes back
   * again and again waits for it as well.
   */
  initialDelay?: number
  /** The upper bound of every wait, in milliseconds; 5,000 by default. */
  maxDelay?: number
}

/** What stands once the defaults are in place; `undefined` where nothing reconnects by itself. */
export type ReconnectPlan = Required<AgentReconnectOptions> | undefined

/**
 * Puts the defaults in place.
 *
 * @throws AgentRuntimeError (`invalid_option`)
 */
export function createReconnectPlan(options: false | AgentReconnectOptions | undefined): ReconnectPlan {
  if (options === false) return undefined
  const { maxAttempts, initialDelay, maxDelay } = options ?? {}
  return {
    maxAttempts: readNumberOption('reconnect.maxAttempts', maxAttempts, { fallback: 3, isWhole: true }),
    initialDelay: readNumberOption('reconnect.initialDelay', initialDelay, { fallback: 500 }),
    maxDelay: readNumberOption('reconnect.maxDelay', maxDelay, { fallback: 5000 }),
  }
}
