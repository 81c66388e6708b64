/** How often something may be done: `burst` times at once, and `perSecond` times a second in the long run. */
export interface RateLimit {
  burst: number
  perSecond: number
}

/** A bucket of tokens for each key. */
export interface TokenBuckets {
  /** Takes one token; gives 0, or after how many seconds there will be one. */
  take(key: string): number
}

/** How many keys are remembered at most; those that were not seen for longest go first. */
const maxKeys = 10_000

/** Makes the buckets of one limit; a full bucket is not remembered, so that keys that come and go cost nothing. */
export function createTokenBuckets({ burst, perSecond, now }: RateLimit & { now(): number }): TokenBuckets {
  const buckets = new Map<string, { tokens: number; at: number }>()
  const forget = () => {
    const isFull = ({ tokens, at }: { tokens: number; at: number }) =>
      tokens + ((now() - at) / 1000) * perSecond >= burst
    for (const [key, bucket] of buckets) {
      if (buckets.size >= maxKeys / 2 || isFull(bucket)) buckets.delete(key)
    }
  }
  return {
    take(key) {
      const at = now()
      const known = buckets.get(key)
      const refilled = known === undefined ? burst : known.tokens + (Math.max(0, at - known.at) / 1000) * perSecond
      const tokens = Math.min(burst, refilled)
      // In the order in which they were last seen.
      buckets.delete(key)
      if (known === undefined && buckets.size >= maxKeys) forget()
      buckets.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, at })
      return tokens < 1 ? Math.ceil((1 - tokens) / perSecond) : 0
    },
  }
}
