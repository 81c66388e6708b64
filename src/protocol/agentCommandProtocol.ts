/** Name of the command protocol in every command's envelope (RFC, section 7.1). */
export const AGENT_COMMAND_PROTOCOL = 'agent-command' as const
/** The version of AgentCommand that this package reads and writes. */
export const AGENT_COMMAND_PROTOCOL_VERSION = '0.1' as const
/** A version of AgentCommand. */
export type AgentCommandProtocolVersion = typeof AGENT_COMMAND_PROTOCOL_VERSION
