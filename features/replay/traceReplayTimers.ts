/** Where a replay takes its time from; to be injected in tests. */
export interface TraceReplayTimers {
  /** Calls back after so many milliseconds; gives the function that calls it off. */
  setTimer(callback: () => void, delay: number): () => void
}

/** The host's timers. */
export const hostTimers: TraceReplayTimers = {
  setTimer(callback, delay) {
    const timer = setTimeout(callback, delay)
    return () => clearTimeout(timer)
  },
}
