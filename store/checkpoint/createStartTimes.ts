/** When each run of a session was asked for: the latest has the highest. */
export interface StartTimes {
  /** Gives a run's time; one that has none yet gets the highest. */
  of(runId: string): number
  /** Takes over what another tab says of a run. */
  set(runId: string, time: number): void
  /** Takes over what a storage says of a run, where nothing is known of it. */
  restore(runId: string, time: number): void
  delete(runId: string): void
  clear(): void
}

export function createStartTimes(now: () => number): StartTimes {
  const byRun = new Map<string, number>()
  // Kept beside them, as a session may have very many runs.
  let latest = -Infinity

  function set(runId: string, time: number): number {
    byRun.set(runId, time)
    latest = Math.max(latest, time)
    return time
  }

  return {
    set,
    of: (runId) => byRun.get(runId) ?? set(runId, Math.max(now(), latest + 1)),
    restore(runId, time) {
      if (!byRun.has(runId)) set(runId, time)
    },
    delete: (runId) => void byRun.delete(runId),
    clear() {
      byRun.clear()
      latest = -Infinity
    },
  }
}
