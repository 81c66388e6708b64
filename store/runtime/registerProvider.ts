import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
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
  // The newest object of an id is taken: one made anew at each render is the same provider to its user.
  providers.set(provider.id, provider)
  return provider
}
