import type { AgentProvider, AgentProviderContextOptions, AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'

/** What a provider made of its context, beside what it made it of. */
interface FollowingContext {
  readonly own: unknown
}

/**
 * Makes the provider of a run that is only followed: it reads what the run's own provider reads, after the last
 * sequence, takes no commands and makes no event of its own.
 *
 * @throws AgentRuntimeError (`not_followable`) where the provider cannot read a run that it did not start.
 */
export function createFollowingProvider(
  provider: AnyAgentProvider,
  run: { sessionId: string; runId: string; after: number },
): AgentProvider<undefined, undefined, unknown, FollowingContext> {
  const { id, protocol, capabilities, transport } = provider
  const { sessionId, runId } = run
  if (!transport.follow || capabilities.sequence !== 'dense') {
    const message = `Provider "${id}" cannot follow a run. It needs transport.follow and capabilities.sequence "dense".`
    throw new AgentRuntimeError('not_followable', message)
  }
  let last = run.after
  const follow = (after: number, signal: AbortSignal) => transport.follow!({ sessionId, runId, after }, signal)

  return {
    id,
    protocol,
    capabilities: { ...capabilities, commands: [], resumable: true },
    transport: {
      kind: transport.kind,
      open: (_request, signal) => follow(last, signal),
      resume: (_request, cursor, signal) => follow(Number(cursor), signal),
      getCursor: () => (last > run.after ? String(last) : undefined),
    },
    createContext: (options: AgentProviderContextOptions) => ({ own: provider.createContext(options) }),
    start: () => [],
    prepareRequest: () => undefined,
    transformChunk(chunk, { own }) {
      const events = provider.transformChunk(chunk, own)
      last = Math.max(last, events.at(-1)?.sequence ?? 0)
      return events
    },
    flush: () => [],
    transformError: () => [],
    ...(provider.classifyError && {
      classifyError: (error: unknown, { own }: FollowingContext) => provider.classifyError!(error, own),
    }),
  }
}
