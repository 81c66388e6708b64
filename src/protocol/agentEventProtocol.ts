/** Name that a provider declares when it speaks AgentEvent (RFC, section 2). */
export const AGENT_EVENT_PROTOCOL = 'agent-event' as const
/** The version of AgentEvent that this package reads and writes. */
export const AGENT_EVENT_PROTOCOL_VERSION = '0.1' as const
/** A version of AgentEvent. */
export type AgentEventProtocolVersion = typeof AGENT_EVENT_PROTOCOL_VERSION
