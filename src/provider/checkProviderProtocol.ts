import { AGENT_EVENT_PROTOCOL, AGENT_EVENT_PROTOCOL_VERSION } from '../protocol/agentEventProtocol.ts'
import type { AnyAgentProvider } from './agentProvider.ts'

/** Says what is wrong with the protocol that a provider declares, or nothing. */
export function checkProviderProtocol({ id, protocol }: AnyAgentProvider): string | undefined {
  const { name, version } = protocol as { name: unknown; version: unknown }
  if (name === AGENT_EVENT_PROTOCOL && version === AGENT_EVENT_PROTOCOL_VERSION) return undefined
  const stated = name === AGENT_EVENT_PROTOCOL ? '' : ` "${String(name)}"`
  return (
    `Provider "${id}" uses unsupported agent protocol${stated} "${String(version)}"; ` +
    `this package speaks ${AGENT_EVENT_PROTOCOL} "${AGENT_EVENT_PROTOCOL_VERSION}".`
  )
}
