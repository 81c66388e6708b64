/**
 * Makes a task that times itself: gives the milliseconds that `run` took with what `prepare` made just before, which is
 * not counted; the mean of `repeats` of them, so that a sample of short runs meets as much noise as one of a long one.
 */
export function createTask<Input>(options: {
  prepare: () => Input
  run: (input: Input) => unknown
  repeats?: number
}): () => Promise<number> {
  const { prepare, run, repeats = 1 } = options
  return async () => {
    let sample = 0
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const input = prepare()
      const start = performance.now()
      await run(input)
      sample += performance.now() - start
    }
    return sample / repeats
  }
}
