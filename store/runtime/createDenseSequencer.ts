import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import type { Sequencer } from './sequencer.ts'

/**
 * Makes a sequencer of a dense provider's run: its main stream and a command's answer bring the same numbered events,
 * so that one ahead of its turn waits for those before it, and one that is known is absorbed (design, section 6).
 */
export function createDenseSequencer(options: {
  lastSequence: number
  apply: (event: AgentEvent) => void
  applyCursor: (cursor: string) => void
  /** Told when an event begins to wait for one before it. */
  onGap: () => void
}): Sequencer {
  const { apply, applyCursor, onGap } = options
  const waiting = new Map<number, AgentEvent>()
  let waitingCursor: { cursor: string; sequence: number } | undefined
  let last = options.lastSequence
  // The first event says where a run's numbers begin: at 0 or, as servers count, at 1.
  let isOpen = last >= 0

  /** Applies what has its turn now. */
  function drain() {
    for (let next = waiting.get(last + 1); next && isOpen; next = waiting.get(last + 1)) {
      waiting.delete(last + 1)
      last += 1
      apply(next)
    }
    if (!waitingCursor || waitingCursor.sequence > last) return
    const { cursor } = waitingCursor
    waitingCursor = undefined
    applyCursor(cursor)
  }

  return {
    getLast: () => last,
    hasGap: () => waiting.size > 0,
    receive(event) {
      if (!isOpen && event.sequence <= 1) {
        isOpen = true
        last = event.sequence - 1
      }
      if (event.sequence <= last) return
      // As nearly every event comes: in its turn, with none waiting.
      if (waiting.size === 0 && isOpen && event.sequence === last + 1) {
        last += 1
        apply(event)
        return
      }
      const hadGap = waiting.size > 0
      waiting.set(event.sequence, event)
      drain()
      if (!hadGap && waiting.size > 0) onGap()
    },
    catchUp(sequence) {
      if (sequence <= last) return
      for (const waited of [...waiting.keys()]) if (waited <= sequence) waiting.delete(waited)
      last = sequence
      isOpen = true
      drain()
    },
    moveCursor(cursor, sequence) {
      waitingCursor = undefined
      if (sequence <= last) applyCursor(cursor)
      else waitingCursor = { cursor, sequence }
    },
  }
}
