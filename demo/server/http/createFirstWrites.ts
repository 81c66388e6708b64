import { RunServerError } from '../runServerError.ts'

/** First writes of browsers that have no cookie yet. */
export interface FirstWrites {
  /**
   * Begins one for a new owner; what it gives says that it is answered.
   *
   * @throws RunServerError `session_pending` (429) while another one's cookie is still on its way to the same browser.
   */
  begin(browser: string, ownerId: string): () => void
  /** The owner's cookie came back. */
  meet(ownerId: string): void
}

/** How long a cookie may take to reach its browser once its answer is sent, in milliseconds. */
const travelMs = 2_000

/**
 * Makes those of one server. Two first writes at once would make two people of one, each with half of what was written;
 * the second is told to come again, which it then does with the first one's cookie.
 */
export function createFirstWrites({ now }: { now(): number }): FirstWrites {
  const pending = new Map<string, { ownerId: string; until: number }>()
  const browsers = new Map<string, string>()
  const forget = (browser: string, ownerId: string) => {
    browsers.delete(ownerId)
    if (pending.get(browser)?.ownerId === ownerId) pending.delete(browser)
  }
  return {
    begin(browser, ownerId) {
      for (const [other, { ownerId: of, until }] of pending) if (until <= now()) forget(other, of)
      if (pending.has(browser)) {
        throw new RunServerError({
          status: 429,
          code: 'session_pending',
          message: 'Your first request is being answered still, and brings the cookie that this one needs. Send it again.',
          headers: { 'retry-after': '1' },
        })
      }
      const entry = { ownerId, until: Infinity }
      pending.set(browser, entry)
      browsers.set(ownerId, browser)
      return () => {
        entry.until = now() + travelMs
      }
    },
    meet(ownerId) {
      const browser = browsers.get(ownerId)
      if (browser !== undefined) forget(browser, ownerId)
    },
  }
}
