/** Lets many wait for what others bring about: conditions are looked at whenever somebody says that something changed. */
export interface Watch {
  changed(): void
  /** Ends every wait, now and later, with this error: nothing more will come of it. */
  fail(error: unknown): void
  /** Aborted by `fail`. */
  readonly signal: AbortSignal
  /**
   * Settles once `isSo` holds; `limit` is in milliseconds.
   *
   * @throws what `fail` was given; an Error that says what was waited for when the limit has passed.
   */
  until(what: string | (() => string), isSo: () => boolean, limit?: number): Promise<void>
}

/** How long anything may take on a machine that is busy with other things. */
const defaultLimit = 120_000

/** Makes a watch. */
export function createWatch(): Watch {
  const checks = new Set<() => void>()
  const controller = new AbortController()
  const { signal } = controller
  const changed = () => {
    for (const check of [...checks]) check()
  }
  return {
    changed,
    signal,
    fail(error) {
      controller.abort(error)
      changed()
    },
    until(what, isSo, limit = defaultLimit) {
      return new Promise((resolve, reject) => {
        const settle = (end: () => void) => {
          checks.delete(check)
          clearTimeout(timer)
          end()
        }
        const check = () => {
          if (signal.aborted) settle(() => reject(signal.reason as Error))
          else if (isSo()) settle(resolve)
        }
        const giveUp = () => {
          const text = typeof what === 'string' ? what : what()
          settle(() => reject(new Error(`Not within ${limit / 1000} s: ${text}.`)))
        }
        const timer = setTimeout(giveUp, limit)
        checks.add(check)
        check()
      })
    },
  }
}
