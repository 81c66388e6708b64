import type { RateLimits } from './rateLimits.ts'

/** How often the API may be asked unless told otherwise. */
export const defaultRateLimits: RateLimits = {
  address: { burst: 1_000, perSecond: 200 },
  owner: { burst: 300, perSecond: 40 },
  writing: { burst: 100, perSecond: 10 },
}
