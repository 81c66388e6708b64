import type { AnyAgentProvider } from './agentProvider.ts'
import { AgentProviderProtocolError } from './agentProviderProtocolError.ts'
import { isThenable } from './isThenable.ts'

/**
 * Refuses the promise of a provider's function that must answer at once.
 *
 * @throws AgentProviderProtocolError `asynchronous_function`.
 */
export function assertSynchronous({ id }: Pick<AnyAgentProvider, 'id'>, name: string, result: unknown): void {
  if (!isThenable(result)) return
  throw new AgentProviderProtocolError(
    'asynchronous_function',
    `Provider "${id}" returned a promise from ${name}, which must answer at once: make it no async function, and do ` +
      `what takes time in the stream that transport.open gives.`,
  )
}
