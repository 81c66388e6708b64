import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import type { Sequencer } from './sequencer.ts'

/** Makes a sequencer of a provider whose sequences only rise: everything is applied as it comes. */
export function createPlainSequencer(options: {
  lastSequence: number
  apply: (event: AgentEvent) => void
  applyCursor: (cursor: string) => void
}): Sequencer {
  const { apply, applyCursor } = options
  let last = options.lastSequence
  return {
    getLast: () => last,
    hasGap: () => false,
    moveCursor: applyCursor,
    catchUp: (sequence) => void (last = Math.max(last, sequence)),
    receive(event) {
      last = Math.max(last, event.sequence)
      apply(event)
    },
  }
}
