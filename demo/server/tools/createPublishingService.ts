import { ToolError } from './toolError.ts'

/** The place where documents become public; it sleeps when nobody uses it. */
export interface PublishingService {
  /** @throws ToolError, retryable, while it is still waking up. */
  connect(ownerId: string): void
}

/**
 * A service that really fails for a while: its first `refusals` callers after a pause of `idleMs` milliseconds are
 * refused, as by a breaker that has not closed yet. It counts calls, so that the same calls always end the same way.
 */
export function createPublishingService(options: {
  now(): number
  refusals?: number
  idleMs?: number
}): PublishingService {
  const { now, refusals = 1, idleMs = 10 * 60_000 } = options
  const states = new Map<string, { refused: number; usedAt: number }>()
  return {
    connect(ownerId) {
      const known = states.get(ownerId)
      const state = known !== undefined && now() - known.usedAt < idleMs ? known : { refused: 0, usedAt: now() }
      states.set(ownerId, state)
      state.usedAt = now()
      if (state.refused >= refusals) return
      state.refused += 1
      throw new ToolError({
        code: 'publishing_unavailable',
        message: 'The publishing service is just waking up and took nothing. Try again in a moment.',
        retryable: true,
      })
    },
  }
}
