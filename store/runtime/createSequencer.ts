import type { AgentEvent } from '../../src/protocol/agentEvent.ts'

/** Puts the events of a run's channels in order before they are applied. */
export interface Sequencer {
  receive(event: AgentEvent): void
}

/**
 * Makes a sequencer of a dense provider's run: its main stream and a command's answer bring the same numbered events,
 * so that one ahead of its turn waits for those before it, and one that is known is absorbed (design, section 6).
 */
export function createDenseSequencer(options: {
  lastSequence: number
  apply: (event: AgentEvent) => void
}): Sequencer {
  const waiting = new Map<number, AgentEvent>()
  let last = options.lastSequence
  // The first event says where a run's numbers begin: at 0 or, as servers count, at 1.
  let isOpen = last >= 0

  return {
    receive(event) {
      if (!isOpen && event.sequence <= 1) {
        isOpen = true
        last = event.sequence - 1
      }
      if (event.sequence <= last) return
      // As nearly every event comes: in its turn, with none waiting.
      if (waiting.size === 0 && isOpen && event.sequence === last + 1) {
        last += 1
        options.apply(event)
        return
      }
      waiting.set(event.sequence, event)
      for (let next = waiting.get(last + 1); next && isOpen; next = waiting.get(last + 1)) {
        waiting.delete(last + 1)
        last += 1
        options.apply(next)
      }
    },
  }
}
