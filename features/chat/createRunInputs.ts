/** What the runs that were started here were started with, in one store. */
export interface RunInputs {
  get(of: { sessionId: string; runId: string }): unknown
  /** Keeps an input for as long as its session is known. */
  keep(of: { sessionId: string; runId: string; input: unknown }): void
}

/** Makes the list; what belongs to sessions that were closed is let go of, as there may be large files among it. */
export function createRunInputs(isKnown: (sessionId: string) => boolean): RunInputs {
  const bySession = new Map<string, Map<string, unknown>>()
  return {
    get: ({ sessionId, runId }) => bySession.get(sessionId)?.get(runId),
    keep({ sessionId, runId, input }) {
      const inputs = bySession.get(sessionId) ?? new Map<string, unknown>()
      for (const known of bySession.keys()) if (!isKnown(known)) bySession.delete(known)
      bySession.set(sessionId, inputs.set(runId, input))
    },
  }
}
