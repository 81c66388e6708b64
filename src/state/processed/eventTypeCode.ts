import type { AgentEventType } from '../../protocol/agentEventPayloads.ts'
import { agentEventTypes } from '../../protocol/agentEventTypes.ts'

const codes = new Map(agentEventTypes.map((type, index) => [type, String.fromCharCode(65 + index)]))

/** One character for each event type, stable because the list only grows; nothing for what is no type. */
export function eventTypeCode(type: AgentEventType): string | undefined {
  return codes.get(type)
}
