import { RunServerError } from '../runServerError.ts'

/** Counts the open streams of each person. */
export interface StreamGate {
  /**
   * Lets one more in; what it gives lets it out, and is called once.
   *
   * @throws RunServerError `too_many_streams` (429).
   */
  enter(ownerId: string): () => void
}

/** Makes the gate of one server: a person holds `max` streams open at most. */
export function createStreamGate({ max }: { max: number }): StreamGate {
  const open = new Map<string, number>()
  return {
    enter(ownerId) {
      const count = open.get(ownerId) ?? 0
      if (count >= max) {
        throw new RunServerError({
          status: 429,
          code: 'too_many_streams',
          message: `${max} of your streams are open. Close one, or follow fewer runs at once.`,
        })
      }
      open.set(ownerId, count + 1)
      return () => {
        const left = (open.get(ownerId) ?? 1) - 1
        if (left === 0) open.delete(ownerId)
        else open.set(ownerId, left)
      }
    },
  }
}
