/** How a lost wire is taken up again (RFC, sections 11.1 and 13.3). */
export interface AgentReconnectOptions {
  /** How many attempts may fail one after the other, with nothing new between them; 3 by default. */
  maxAttempts?: number
  /** The upper bound of the first wait, in milliseconds; it doubles with each attempt. 500 by default. */
  initialDelay?: number
  /** The upper bound of every wait, in milliseconds; 5,000 by default. */
  maxDelay?: number
}

/** What stands once the defaults are in place; `undefined` where nothing reconnects by itself. */
export type ReconnectPlan = Required<AgentReconnectOptions> | undefined

const defaults: Required<AgentReconnectOptions> = { maxAttempts: 3, initialDelay: 500, maxDelay: 5000 }

export function createReconnectPlan(options: false | AgentReconnectOptions | undefined): ReconnectPlan {
  if (options === false) return undefined
  const { maxAttempts, initialDelay, maxDelay } = options ?? {}
  return {
    maxAttempts: maxAttempts ?? defaults.maxAttempts,
    initialDelay: initialDelay ?? defaults.initialDelay,
    maxDelay: maxDelay ?? defaults.maxDelay,
  }
}
