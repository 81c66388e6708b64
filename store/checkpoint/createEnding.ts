/** What is waited for until something ends. */
export interface Ending {
  /** Waits for work, but not beyond the end: then it rejects with why, and the work goes on. */
  untilEnd<Value>(work: Promise<Value>): Promise<Value>
  end(error: Error): void
}

export function createEnding(): Ending {
  const waiting = new Set<(error: Error) => void>()
  return {
    untilEnd: (work) =>
      new Promise((resolve, reject) => {
        waiting.add(reject)
        // A race with one promise for all would keep something of each work for as long as that promise is there.
        void work.then(resolve, reject).then(() => waiting.delete(reject))
      }),
    end(error) {
      for (const reject of waiting) reject(error)
    },
  }
}
