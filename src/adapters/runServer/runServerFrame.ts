import * as z from 'zod/mini'

/** A stored event as the server sends it; who takes the event checks it. */
export const runServerFrameSchema = z.object({
  runId: z.string(),
  seq: z.int().check(z.positive()),
  event: z.unknown(),
  createdAt: z.number(),
})
