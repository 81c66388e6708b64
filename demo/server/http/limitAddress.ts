import type { MiddlewareHandler } from 'hono'
import { createTokenBuckets, type RateLimit } from './createTokenBuckets.ts'
import type { HttpEnv } from './httpEnv.ts'
import { takeToken } from './takeToken.ts'

/** Refuses what one address asks too often; before anything is read, and whether or not there is a cookie. */
export function limitAddress(limit: RateLimit, now: () => number): MiddlewareHandler<HttpEnv> {
  const buckets = createTokenBuckets({ ...limit, now })
  return async (context, next) => {
    takeToken(buckets, context.get('address'))
    await next()
  }
}
