/** Runs a task until it has been measured long enough; gives the median duration of one run in milliseconds. */
export async function measure(task: () => unknown, options: { minRuns?: number; minTime?: number } = {}): Promise<number> {
  const { minRuns = 9, minTime = 400 } = options
  for (let warmUp = 0; warmUp < 3; warmUp += 1) await task()
  const times: number[] = []
  const begin = performance.now()
  while (times.length < minRuns || performance.now() - begin < minTime) {
    globalThis.gc?.()
    const start = performance.now()
    await task()
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  return times[times.length >> 1]!
}

/** Repeats a small task, so that one measured run is long enough for the clock. */
export function repeat(times: number, task: () => unknown): () => void {
  return () => {
    for (let count = 0; count < times; count += 1) task()
  }
}
