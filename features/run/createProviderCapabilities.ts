import type { AgentCommandType } from '../../src/protocol/agentCommand.ts'
import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'

/** Knows which commands the providers take that a runtime was given, by provider id. */
export interface ProviderCapabilities {
  add(provider: AnyAgentProvider): void
  /** Says whether a provider takes a command; yes for one that is not known, whose refusal would then be shown. */
  supportsCommand(providerId: string, type: AgentCommandType): boolean
}

export function createProviderCapabilities(providers: readonly AnyAgentProvider[]): ProviderCapabilities {
  const commandsById = new Map<string, readonly AgentCommandType[]>()
  const add = ({ id, capabilities }: AnyAgentProvider) => void commandsById.set(id, capabilities.commands ?? [])
  for (const provider of providers) add(provider)
  return { add, supportsCommand: (providerId, type) => commandsById.get(providerId)?.includes(type) ?? true }
}
