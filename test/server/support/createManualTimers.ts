import type { SetTimer } from '../../../demo/server/setTimer.ts'

/** Timers and a clock that move only when a test moves them. */
export function createManualTimers() {
  let now = 1_800_000_000_000
  let timers: { at: number; callback: () => void }[] = []
  const setTimer: SetTimer = (callback, delay) => {
    const timer = { at: now + delay, callback }
    timers.push(timer)
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
    count: () => timers.length,
  }
}
