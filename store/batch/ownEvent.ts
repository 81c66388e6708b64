import type { AgentEvent } from '../../src/protocol/agentEvent.ts'

/**
 * Takes an event by value: a provider may keep an object that it put into a payload, and write into it later, which
 * must not reach the state, nor may the state's freezing reach the provider. A payload of plain values, as every
 * delta's is, is taken as it is.
 */
export function ownEvent(event: AgentEvent): AgentEvent {
  const { meta } = event
  if (meta === undefined && isPlain(event.payload)) return event
  const payload = structuredClone(event.payload)
  return { ...event, payload, ...(meta !== undefined && { meta: structuredClone(meta) }) } as AgentEvent
}

// Asked of every event, hence without a list of the values.
function isPlain(payload: object): boolean {
  for (const key in payload) {
    const value = (payload as Record<string, unknown>)[key]
    if (typeof value === 'object' && value !== null) return false
  }
  return true
}
