import { agentEventPayloads, type AgentEventType } from './agentEventPayloads.ts'

/** The 32 event types of AgentEvent 0.1, in the order of the design's table. */
export const agentEventTypes: readonly AgentEventType[] = Object.freeze(
  Object.keys(agentEventPayloads) as AgentEventType[],
)
