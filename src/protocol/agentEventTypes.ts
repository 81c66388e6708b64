import { agentEventPayloads, type AgentEventType } from './agentEventPayloads.ts'

/** The 32 event types of AgentEvent 0.1, by what they are about. */
export const agentEventTypes: readonly AgentEventType[] = Object.freeze(
  Object.keys(agentEventPayloads) as AgentEventType[],
)
