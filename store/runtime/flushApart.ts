import type { EventBatcher } from '../batch/createEventBatcher.ts'

/**
 * Tells the store what has been gathered. What a part of the app throws meanwhile says nothing of the command whose
 * outcome depends on it: it is reported as uncaught, as where the batcher tells by itself.
 */
export function flushApart(batcher: EventBatcher): void {
  try {
    batcher.flush()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
