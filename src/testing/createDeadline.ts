import { globalTimers, type AgentTransportTimers } from '../transport/createPatience.ts'

/** A time by which something must have happened. */
export interface Deadline {
  /** Gives what the work gives, or `undefined` once the time is up. */
  wait<Result>(work: Promise<Result>): Promise<Result | undefined>
  cancel(): void
}

/** Starts to count, in milliseconds. */
export function createDeadline(options: { timeout: number; timers?: AgentTransportTimers | undefined }): Deadline {
  const { timeout, timers = globalTimers } = options
  let handle: unknown
  const over = new Promise<undefined>((resolve) => {
    handle = timers.setTimeout(() => resolve(undefined), timeout)
  })
  return { wait: (work) => Promise.race([work, over]), cancel: () => timers.clearTimeout(handle) }
}
