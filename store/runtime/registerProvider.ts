import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { isRecord } from '../../src/protocol/predicates.ts'
import { isAgentProvider } from '../../src/provider/isAgentProvider.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import type { StoreContext } from './storeContext.ts'

/** Gives a provider by its id, or makes one that was given as an object known by its id. */
export function registerProvider(context: StoreContext, provider: AnyAgentProvider | string): AnyAgentProvider {
  const { providers } = context
  if (typeof provider === 'string') {
    const known = providers.get(provider)
    if (known) return known
    const ids = [...providers.keys()].map((id) => `"${id}"`).join(', ') || 'none'
    const message = `No provider "${provider}" is known (known: ${ids}). Add it to createAgentRuntime({ providers }).`
    throw new AgentRuntimeError('unknown_provider', message)
  }
  if (!isComplete(provider)) {
    const message = 'What was given as a provider is none. It needs id, protocol, capabilities and transport.'
    throw new AgentRuntimeError('invalid_provider', message)
  }
  // The newest object of an id is taken: one made anew at each render is the same provider to its user.
  providers.set(provider.id, provider)
  return provider
}

function isComplete(provider: unknown): provider is AnyAgentProvider {
  if (!isAgentProvider(provider)) return false
  const { id, capabilities, transport } = provider as Partial<AnyAgentProvider>
  return typeof id === 'string' && id !== '' && isRecord(capabilities) && isRecord(transport)
}
