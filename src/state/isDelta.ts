import type { AgentEvent } from '../protocol/agentEvent.ts'

/** Says whether an event only adds to what is there: text, reasoning, a tool's arguments. */
export function isDelta(event: Pick<AgentEvent, 'type'>): boolean {
  return typeof event.type === 'string' && event.type.endsWith('delta')
}
