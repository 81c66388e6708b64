import type { MiddlewareHandler } from 'hono'
import { createTokenBuckets } from './createTokenBuckets.ts'
import type { HttpEnv } from './httpEnv.ts'
import type { RateLimits } from './rateLimits.ts'
import { takeToken } from './takeToken.ts'

/** Refuses what one person asks too often, reading or writing. */
export function limitOwner(
  limits: Pick<RateLimits, 'owner' | 'writing'>,
  now: () => number,
): MiddlewareHandler<HttpEnv> {
  const all = createTokenBuckets({ ...limits.owner, now })
  const writing = createTokenBuckets({ ...limits.writing, now })
  return async (context, next) => {
    const { method } = context.req
    takeToken(all, context.get('ownerId'))
    if (method !== 'GET' && method !== 'HEAD') takeToken(writing, context.get('ownerId'))
    await next()
  }
}
