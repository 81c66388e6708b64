import { toTimerDelay } from '../toTimerDelay.ts'
import { globalTimers } from '../transport/globalTimers.ts'
import type { AgentTransportTimers } from '../transport/agentTransportTimers.ts'

/** A time by which something must have happened. */
export interface Deadline {
  /** Gives what the work gives, or `undefined` once the time is up. */
  wait<Result>(work: Promise<Result>): Promise<Result | undefined>
  cancel(): void
}

/** Starts to count, in milliseconds; 0 and `Infinity` never come. */
export function createDeadline(options: { timeout: number; timers?: AgentTransportTimers | undefined }): Deadline {
  const { timeout, timers = globalTimers } = options
  const delay = toTimerDelay(timeout)
  let handle: unknown
  const over = new Promise<undefined>((resolve) => {
    if (delay !== undefined) handle = timers.setTimeout(() => resolve(undefined), delay)
  })
  return { wait: (work) => Promise.race([work, over]), cancel: () => handle !== undefined && timers.clearTimeout(handle) }
}
