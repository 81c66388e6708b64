import { RunServerError } from '../runServerError.ts'

const windowMs = 60 * 60_000

/** Counts new owners who wrote before their cookie ever came back, which it never does where cookies are blocked. */
export interface NewcomerLimit {
  /** @throws RunServerError `too_many_newcomers` (429) where as many as may be have been admitted within the hour. */
  admit(ownerId: string): void
  /** The owner's cookie came back: they count no more. */
  meet(ownerId: string): void
}

/** Makes the limit of one server, so that a browser that keeps no cookie cannot fill the disk. */
export function createNewcomerLimit({ now, max }: { now(): number; max: number }): NewcomerLimit {
  // In the order in which they came.
  const admittedAt = new Map<string, number>()
  return {
    admit(ownerId) {
      for (const [id, at] of admittedAt) {
        if (now() - at < windowMs) break
        admittedAt.delete(id)
      }
      if (admittedAt.size >= max) {
        throw new RunServerError({
          status: 429,
          code: 'too_many_newcomers',
          message: 'Too many write here without a cookie. Allow cookies for this page, load it again, and try again.',
        })
      }
      admittedAt.set(ownerId, now())
    },
    meet: (ownerId) => void admittedAt.delete(ownerId),
  }
}
