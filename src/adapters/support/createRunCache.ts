/** What an adapter keeps of runs beside the state, which holds all that outlives a reload. */
export interface RunCache<Value> {
  /** Gives what is kept of a run, made where nothing is yet. */
  open(run: string): Value
  find(run: string): Value | undefined
  keep(run: string, value: Value): void
  forget(run: string): void
}

/**
 * More than a page ever has under way or waiting at once: runs that are left there, never to be answered or taken up
 * again, make room for later ones, and lose nothing that a reload would not.
 */
const maxRuns = 100

/** Makes a cache that forgets the run that was used longest ago where more than a hundred are left in it. */
export function createRunCache<Value>(create: () => Value): RunCache<Value> {
  const byRun = new Map<string, Value>()

  function keep(run: string, value: Value): void {
    // Put last, as a map is read in the order in which its keys came.
    byRun.delete(run)
    byRun.set(run, value)
    if (byRun.size <= maxRuns) return
    const [oldest] = byRun.keys()
    byRun.delete(oldest!)
  }

  return {
    keep,
    open(run) {
      const value = byRun.has(run) ? (byRun.get(run) as Value) : create()
      keep(run, value)
      return value
    },
    find: (run) => byRun.get(run),
    forget: (run) => void byRun.delete(run),
  }
}
