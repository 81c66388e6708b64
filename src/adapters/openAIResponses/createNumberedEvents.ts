import type { AgentEventFactory } from '../../protocol/createAgentEventFactory.ts'

/** The most events that one chunk in the middle of a stream makes; the last one may make more. */
const stride = 1024

/**
 * Makes events whose sequence, hence whose id, follows from the chunk that they are made of: what comes again after a
 * resume is then told from what is new, whatever of a chunk was applied before.
 */
export function createNumberedEvents(events: AgentEventFactory): {
  readonly factory: AgentEventFactory
  /** Goes on to a chunk by its place in a stream that begins at `base`. */
  moveTo(place: { base: number; position: number }): void
} {
  let next = 0
  return {
    factory: {
      create(type, payload, options) {
        const sequence = next
        next += 1
        return events.create(type, payload, { ...options, sequence })
      },
      getSequence: () => events.getSequence(),
    },
    moveTo: ({ base, position }) => void (next = base + position * stride),
  }
}
