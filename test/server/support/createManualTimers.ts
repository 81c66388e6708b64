import type { SetTimer } from '../../../demo/server/setTimer.ts'

/** Timers and a clock that move only when a test moves them. */
export function createManualTimers() {
  let now = 1_800_000_000_000
  let timers: { at: number; delay: number; callback: () => void }[] = []
  let waiters: { delay: number; resolve: () => void }[] = []
  const setTimer: SetTimer = (callback, delay) => {
    const timer = { at: now + delay, delay, callback }
    timers.push(timer)
    for (const waiter of waiters.filter((one) => one.delay === delay)) waiter.resolve()
    waiters = waiters.filter((waiter) => waiter.delay !== delay)
    return () => {
      timers = timers.filter((other) => other !== timer)
    }
  }
  return {
    setTimer,
    now: () => now,
    /** Moves the clock on by milliseconds and runs what falls due, in its order. */
    advance(milliseconds: number) {
      const end = now + milliseconds
      for (;;) {
        const due = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0]
        if (due === undefined) break
        now = Math.max(now, due.at)
        timers = timers.filter((timer) => timer !== due)
        due.callback()
      }
      now = end
    },
    /** Settles once a timer of this delay is set, or at once where one is. */
    whenSet: (delay: number) =>
      new Promise<void>((resolve) => {
        if (timers.some((timer) => timer.delay === delay)) resolve()
        else waiters.push({ delay, resolve })
      }),
    count: () => timers.length,
  }
}
