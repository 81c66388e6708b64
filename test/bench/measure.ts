/** How long to measure; times in milliseconds. */
export interface MeasureOptions {
  minRuns?: number
  minTime?: number
}

/**
 * Runs tasks in turn until they have been measured long enough; gives each one's median CPU time in milliseconds, the
 * collector's threads included. In turn and by CPU time, so that what else the machine does weighs little.
 */
export async function measure(tasks: readonly (() => unknown)[], options: MeasureOptions = {}): Promise<number[]> {
  const { minRuns = 9, minTime = 400 } = options
  for (let warmUp = 0; warmUp < 3; warmUp += 1) for (const task of tasks) await task()
  const times: number[][] = tasks.map(() => [])
  const begin = performance.now()
  while (times[0]!.length < minRuns || performance.now() - begin < minTime * tasks.length) {
    for (const [index, task] of tasks.entries()) {
      globalThis.gc?.()
      const start = process.cpuUsage()
      await task()
      times[index]!.push(cpuTimeSince(start))
    }
  }
  return times.map(median)
}

/** CPU time since a reading, in milliseconds. */
export function cpuTimeSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}

/** Repeats a small task, so that one measured run is long enough for the clock. */
export function repeat(times: number, task: () => unknown): () => void {
  return () => {
    for (let count = 0; count < times; count += 1) task()
  }
}
