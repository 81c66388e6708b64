import type { AgentEvent } from '../../src/protocol/agentEvent.ts'

/**
 * Takes an event by value: a provider may keep an object that it put into a payload, and write into it later, which
 * must not reach the state, nor may the state's freezing reach the provider. A payload of plain values, as every
 * delta's is, is taken as it is.
 */
export function ownEvent(event: AgentEvent): AgentEvent {
  const { meta } = event
  if (meta === undefined && Object.values(event.payload).every(isPlain)) return event
  const payload = structuredClone(event.payload)
  return { ...event, payload, ...(meta !== undefined && { meta: structuredClone(meta) }) } as AgentEvent
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}
