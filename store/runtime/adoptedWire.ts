import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'

/** A wire that is open, as a provider whose stream has begun, and what closes it. */
export interface AdoptedWire {
  readonly provider: AnyAgentProvider
  readonly controller: AbortController
}
