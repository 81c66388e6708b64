import type { AgentEnvironment } from '../batch/agentEnvironment.ts'
import type { LiveRun } from './liveRun.ts'

// A command's answer is ahead of the main stream by moments; after this long, in milliseconds, something is missing.
const patience = 2000

/**
 * Watches that a gap in a dense run closes while a wire is open: `onStuck` is called where nothing moves for 2 s
 * (design, section 6). Gives the function that ends the watch.
 */
export function watchGap(options: { live: LiveRun; environment: AgentEnvironment; onStuck: () => void }): () => void {
  const { live, environment, onStuck } = options
  const { sequencer } = live
  let stopTimer: (() => void) | undefined

  function arm() {
    const before = sequencer.getLast()
    stopTimer ??= environment.setTimer(() => {
      stopTimer = undefined
      if (!sequencer.hasGap()) return
      if (sequencer.getLast() > before) arm()
      else onStuck()
    }, patience)
  }

  live.onGap = arm
  if (sequencer.hasGap()) arm()
  return () => {
    stopTimer?.()
    if (live.onGap === arm) live.onGap = undefined
  }
}
