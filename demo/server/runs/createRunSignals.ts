/**
 * Says that something of a run may have changed. A signal carries nothing and only means "read again", so that one too
 * many or one that came early does no harm, and a database's own notifications can take its place.
 */
export interface RunSignals {
  notify(runId: string): void
  /** Calls `listener` at every signal of the run; what it returns ends that. */
  subscribe(runId: string, listener: () => void): () => void
}

/** Makes the signals of one process. */
export function createRunSignals(): RunSignals {
  const listenersByRun = new Map<string, Set<() => void>>()
  return {
    notify(runId) {
      for (const listener of [...(listenersByRun.get(runId) ?? [])]) listener()
    },
    subscribe(runId, listener) {
      const listeners = listenersByRun.get(runId) ?? new Set()
      listenersByRun.set(runId, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && listenersByRun.get(runId) === listeners) listenersByRun.delete(runId)
      }
    },
  }
}
