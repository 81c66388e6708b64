import type { AgentEventType } from './agentEventPayloads.ts'

/** The id that an event has unless its provider states another: `runId:sequence:type`. */
export function getAgentEventId(event: { runId: string; sequence: number; type: AgentEventType }): string {
  return `${event.runId}:${event.sequence}:${event.type}`
}
