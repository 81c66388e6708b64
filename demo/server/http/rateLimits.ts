import type { RateLimit } from './createTokenBuckets.ts'

/** How often the API may be asked. */
export interface RateLimits {
  /** By one address, whoever is behind it. */
  address: RateLimit
  /** By one person. */
  owner: RateLimit
  /** By one person, to change something: starts, commands, documents. */
  writing: RateLimit
}
