import type { ModelClient } from '../chat/createModelClient.ts'
import { createChunkScrubber } from './createChunkScrubber.ts'
import type { Scrubber } from './createScrubber.ts'

/** A model that never says a secret, however its answer is cut into pieces. */
export function scrubModel(model: ModelClient, scrubber: Scrubber): ModelClient {
  return {
    async *stream(request, signal) {
      const chunks = createChunkScrubber(scrubber)
      try {
        for await (const chunk of model.stream(request, signal)) yield* chunks.push(chunk)
      } catch (error) {
        // What was said before the line broke stands.
        if (!signal.aborted) yield* chunks.finish()
        throw error
      }
      yield* chunks.finish()
    },
  }
}
