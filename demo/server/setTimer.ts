/** Calls back once after `delay` milliseconds; what it returns calls it off. */
export type SetTimer = (callback: () => void, delay: number) => () => void

/** The timers of Node; a waiting one does not keep the process alive. */
export const setNodeTimer: SetTimer = (callback, delay) => {
  const timer = setTimeout(callback, delay)
  timer.unref()
  return () => clearTimeout(timer)
}
