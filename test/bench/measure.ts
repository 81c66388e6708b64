const warmUps = 3

/** How long to measure; times in milliseconds. */
export interface MeasureOptions {
  minRuns?: number
  minTime?: number
}

/**
 * Runs tasks in turn until they have been measured long enough; gives each one's duration in milliseconds, or what a
 * task that measures itself gives. In turn, and the fast fifth of the runs, so that what else the machine does weighs
 * little. Nothing is collected by force between them: that takes the compiled code along whose objects are gone, which
 * only a task that makes many kinds of them would pay for.
 */
export async function measure<Input>(
  tasks: readonly ((input: Input) => unknown)[],
  options: MeasureOptions & {
    /** Makes what a run works on; not measured. */
    prepare: () => Input
    /** How many runs make a sample, so that those of short runs meet as much noise as others; 1 by default. */
    repeats?: number
  },
): Promise<number[]> {
  const { prepare, repeats = 1, minRuns = 15, minTime = 600 } = options
  const times: number[][] = tasks.map(() => [])
  let spent = 0
  for (let round = -warmUps; round < minRuns || spent < minTime * tasks.length; round += 1) {
    for (const [index, task] of tasks.entries()) {
      let sample = 0
      for (let run = 0; run < repeats; run += 1) {
        const input = prepare()
        const start = performance.now()
        const part = await task(input)
        sample += typeof part === 'number' ? part : performance.now() - start
      }
      if (round < 0) continue
      times[index]!.push(sample / repeats)
      spent += sample
    }
  }
  return times.map(undisturbed)
}

/** What a task takes when nothing else is in its way: the fast fifth of its durations. */
export function undisturbed(durations: readonly number[]): number {
  return durations.toSorted((a, b) => a - b)[Math.floor(durations.length / 5)]!
}
