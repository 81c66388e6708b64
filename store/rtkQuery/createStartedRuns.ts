/** The runs that an endpoint started, by the cache key of their argument: the same argument is the same run. */
export interface StartedRuns {
  find(key: string): string | undefined
  note(key: string, runId: string): void
  /** Keeps a run until the function is called that this gives. */
  hold(runId: string): () => void
}

/** Makes the list; it keeps a run for as long as it is held, or its store knows it, so that it does not outgrow these. */
export function createStartedRuns(isKnown: (runId: string) => boolean): StartedRuns {
  const started = new Map<string, string>()
  const holders = new Map<string, number>()

  function sweep() {
    for (const [key, runId] of started) if (!holders.has(runId) && !isKnown(runId)) started.delete(key)
  }

  return {
    find(key) {
      sweep()
      return started.get(key)
    },
    note: (key, runId) => void started.set(key, runId),
    hold(runId) {
      holders.set(runId, (holders.get(runId) ?? 0) + 1)
      return () => {
        const left = holders.get(runId)! - 1
        if (left > 0) holders.set(runId, left)
        else holders.delete(runId)
        sweep()
      }
    },
  }
}
