/** How long to measure; times in milliseconds. */
export interface MeasureOptions {
  minRuns?: number
  minTime?: number
}

/**
 * Runs tasks in turn until they have been measured long enough; gives each one's duration in milliseconds. In turn, and
 * the fast fifth of the runs, so that what else the machine does weighs little.
 */
export async function measure(tasks: readonly (() => unknown)[], options: MeasureOptions = {}): Promise<number[]> {
  const { minRuns = 15, minTime = 600 } = options
  for (let warmUp = 0; warmUp < 3; warmUp += 1) for (const task of tasks) await task()
  const times: number[][] = tasks.map(() => [])
  const begin = performance.now()
  while (times[0]!.length < minRuns || performance.now() - begin < minTime * tasks.length) {
    for (const [index, task] of tasks.entries()) {
      globalThis.gc?.()
      const start = performance.now()
      await task()
      times[index]!.push(performance.now() - start)
    }
  }
  return times.map(undisturbed)
}

/** What a task takes when nothing else is in its way: the fast fifth of its durations. */
export function undisturbed(durations: readonly number[]): number {
  return durations.toSorted((a, b) => a - b)[Math.floor(durations.length / 5)]!
}

/** Repeats a small task, so that one measured run is long enough for the clock. */
export function repeat(times: number, task: () => unknown): () => void {
  return () => {
    for (let count = 0; count < times; count += 1) task()
  }
}
