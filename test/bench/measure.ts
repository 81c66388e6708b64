import { undisturbed } from './undisturbed.ts'

const warmUps = 3

/** How long to measure: `minTime` in milliseconds a task, what it prepares included. */
export interface MeasureOptions {
  minRuns?: number
  minTime?: number
}

/**
 * Runs tasks in turn until they have been measured long enough; gives what each takes, in milliseconds, by what its
 * runs say. In turn, and the fast fifth of the runs, so that what else the machine does weighs little. Nothing is
 * collected by force between them: that takes the compiled code along whose objects are gone, which only a task that
 * makes many kinds of them would pay for.
 */
export async function measure(
  tasks: readonly (() => number | Promise<number>)[],
  options: MeasureOptions = {},
): Promise<number[]> {
  const { minRuns = 15, minTime = 1500 } = options
  const times: number[][] = tasks.map(() => [])
  let spent = 0
  for (let round = -warmUps; round < minRuns || spent < minTime * tasks.length; round += 1) {
    for (const [index, task] of tasks.entries()) {
      const start = performance.now()
      const time = await task()
      if (round < 0) continue
      times[index]!.push(time)
      spent += performance.now() - start
    }
  }
  return times.map(undisturbed)
}
