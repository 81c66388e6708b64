import type { MiddlewareHandler } from 'hono'
import { RunServerError } from '../runServerError.ts'
import { createTokenBuckets, type RateLimit, type TokenBuckets } from './createTokenBuckets.ts'
import type { HttpEnv } from './httpEnv.ts'

/** How often the API may be asked. */
export interface RateLimits {
  /** By one address, whoever is behind it. */
  address: RateLimit
  /** By one person. */
  owner: RateLimit
  /** By one person, to change something: starts, commands, documents. */
  writing: RateLimit
}

export const defaultRateLimits: RateLimits = {
  address: { burst: 1_000, perSecond: 200 },
  owner: { burst: 300, perSecond: 40 },
  writing: { burst: 100, perSecond: 10 },
}

/** Refuses what one address asks too often; before anything is read, and whether or not there is a cookie. */
export function limitAddress(limit: RateLimit, now: () => number): MiddlewareHandler<HttpEnv> {
  const buckets = createTokenBuckets({ ...limit, now })
  return async (context, next) => {
    take(buckets, context.get('address'))
    await next()
  }
}

/** Refuses what one person asks too often, reading or writing. */
export function limitOwner(
  limits: Pick<RateLimits, 'owner' | 'writing'>,
  now: () => number,
): MiddlewareHandler<HttpEnv> {
  const all = createTokenBuckets({ ...limits.owner, now })
  const writing = createTokenBuckets({ ...limits.writing, now })
  return async (context, next) => {
    const { method } = context.req
    take(all, context.get('ownerId'))
    if (method !== 'GET' && method !== 'HEAD') take(writing, context.get('ownerId'))
    await next()
  }
}

function take(buckets: TokenBuckets, key: string): void {
  const retryAfter = buckets.take(key)
  if (retryAfter === 0) return
  throw new RunServerError({
    status: 429,
    code: 'rate_limited',
    message: `Too many requests. Wait ${retryAfter} s, then go on more slowly.`,
    headers: { 'retry-after': String(retryAfter) },
  })
}
