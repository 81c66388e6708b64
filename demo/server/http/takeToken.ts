import { RunServerError } from '../runServerError.ts'
import type { TokenBuckets } from './createTokenBuckets.ts'

/**
 * Takes one of a key's tokens.
 *
 * @throws RunServerError `rate_limited` (429) where there is none.
 */
export function takeToken(buckets: TokenBuckets, key: string): void {
  const retryAfter = buckets.take(key)
  if (retryAfter === 0) return
  throw new RunServerError({
    status: 429,
    code: 'rate_limited',
    message: `Too many requests. Wait ${retryAfter} s, then go on more slowly.`,
    headers: { 'retry-after': String(retryAfter) },
  })
}
