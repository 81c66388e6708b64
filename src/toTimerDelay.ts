/** The longest delay that hosts' timers take, in milliseconds (some 24.8 days); a longer one would ring at once. */
export const maxTimerDelay = 2 ** 31 - 1

/**
 * Gives a time limit as a timer takes it, in milliseconds: `undefined` is no limit, which 0, less than that and what is
 * not finite mean everywhere; one that is longer than timers can wait is cut to that.
 */
export function toTimerDelay(limit: number): number | undefined {
  return limit > 0 && Number.isFinite(limit) ? Math.min(limit, maxTimerDelay) : undefined
}
