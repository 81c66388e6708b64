import type { AgentEvent } from '../protocol/agentEvent.ts'

/** Says whether an event ends its run for good. */
export function isRunEnd(event: Pick<AgentEvent, 'type'>): boolean {
  return event.type === 'run.completed' || event.type === 'run.failed' || event.type === 'run.cancelled'
}
