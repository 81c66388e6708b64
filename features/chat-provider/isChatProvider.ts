import { isAgentProvider } from '../../src/provider/isAgentProvider.ts'
import type { AnyChatProvider } from './chatProvider.ts'

/** Tells an ordinary chat provider from an agent provider, which alone has a protocol (RFC, section 2). */
export function isChatProvider(provider: unknown): provider is AnyChatProvider {
  return (
    typeof provider === 'object' &&
    provider !== null &&
    !isAgentProvider(provider) &&
    'injectRequest' in provider &&
    'transformMessage' in provider
  )
}
