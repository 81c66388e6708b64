import type { AgentEvent } from '../protocol/agentEvent.ts'
import type { RunDraft } from './runDraft.ts'

/** Notes that an event was dealt with; an accepted one moves the sequence. */
export function takeEvent(run: RunDraft, event: AgentEvent, accepted: boolean): void {
  if (accepted) run.lastSequence = event.sequence
  // What an unknown or ended run was refused is not remembered for it: hostile ids would pile up for ever.
  else if (!run.isRunning) return
  run.hasChanged = true
  if (run.isRunning || run.state === undefined) run.processed.add(event, accepted)
}
