import type { AgentEvent } from '../protocol/agentEvent.ts'

/** Some two frames: what follows within is shown at once. */
const minDelay = 32
/** What came in one burst is still seen to come. */
const minGap = 8

/**
 * Where playing goes on to from a position, and after which time, in milliseconds: real time between events, but no
 * longer than `maxGap`, at `speed`.
 */
export function getNextStop(
  events: readonly AgentEvent[],
  options: { position: number; speed: number; maxGap: number },
): { position: number; delay: number } {
  const { speed, maxGap } = options
  let { position } = options
  let delay = 0
  while (position < events.length) {
    const gap = position === 0 ? 0 : events[position]!.timestamp - events[position - 1]!.timestamp
    const step = Math.min(Math.max(gap, minGap), maxGap) / speed
    if (delay > 0 && delay + step > minDelay) break
    delay += step
    position += 1
  }
  return { position, delay }
}
