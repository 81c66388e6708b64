/** What must happen to a session one after the other: its removals, its closings. */
export interface SessionGates {
  /** Does the work once what was asked of the session before is done, whatever became of that. */
  enter(sessionId: string, work: () => Promise<void>): Promise<void>
  /** What has to be waited for by whatever comes after all of them; nothing where there is none. It never rejects. */
  hold(sessionId: string): Promise<void> | undefined
  /** Whether a wait is for one of them that is not done. */
  has(sessionId: string, wait: Promise<void>): boolean
  /** Resolves once none is under way, whatever became of them. */
  finish(): Promise<void>
}

export function createSessionGates(): SessionGates {
  /** What was asked for, by session, the latest last; each resolves whatever became of it. */
  const asked = new Map<string, Set<Promise<void>>>()

  const hold = (sessionId: string) => [...(asked.get(sessionId) ?? [])].at(-1)

  return {
    hold,
    has: (sessionId, wait) => asked.get(sessionId)?.has(wait) === true,
    enter(sessionId, work) {
      const gates = asked.get(sessionId) ?? new Set()
      asked.set(sessionId, gates)
      const entered = Promise.resolve(hold(sessionId)).then(work)
      const leave = () => {
        gates.delete(gate)
        if (gates.size === 0) asked.delete(sessionId)
      }
      const gate = entered.then(leave, leave)
      gates.add(gate)
      return entered
    },
    async finish() {
      await Promise.all([...asked.values()].flatMap((gates) => [...gates]))
    },
  }
}
