import { AGENT_EVENT_PROTOCOL } from '../protocol/agentEventProtocol.ts'
import type { AgentProvider } from './agentProvider.ts'

/**
 * Tells an AgentProvider from an ordinary chat provider, by its protocol's name alone (RFC, section 2).
 *
 * @example
 * if (isAgentProvider(provider)) provider.capabilities.commands
 */
export function isAgentProvider(value: unknown): value is AgentProvider<unknown, unknown, unknown> {
  if (typeof value !== 'object' || value === null || !('protocol' in value)) return false
  const { protocol } = value
  return typeof protocol === 'object' && protocol !== null && 'name' in protocol && protocol.name === AGENT_EVENT_PROTOCOL
}
