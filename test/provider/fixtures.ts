import {
  agentEventTypes,
  createAgentEventFactory,
  createAsyncIterableTransport,
  runAgentProvider,
  type AgentEvent,
  type AgentProvider,
  type AgentProviderContextOptions,
} from 'redux-agent'

/** A provider whose chunks are lists of events. */
export type ListProvider = AgentProvider<string, string, readonly AgentEvent[], AgentProviderContextOptions>

export const run = { sessionId: 's1', runId: 'r1', now: () => 1000 }

/** Events of the run `r1`, numbered on from `initialSequence`. */
export const makeEvents = (initialSequence?: number) => createAgentEventFactory({ ...run, initialSequence })

/** Makes a provider whose transport delivers these chunks, with whatever a test changes. */
export function createListProvider(
  chunks: readonly (readonly AgentEvent[])[],
  changes: Partial<ListProvider> = {},
): ListProvider {
  return {
    id: 'list',
    protocol: { name: 'agent-event', version: '0.1' },
    capabilities: { eventTypes: agentEventTypes, transports: ['async-iterable'] },
    transport: createAsyncIterableTransport(async function* () {
      yield* chunks
    }),
    createContext: (context) => context,
    start: () => [],
    prepareRequest: (input) => input,
    transformChunk: (chunk) => chunk,
    flush: () => [],
    transformError: () => [],
    ...changes,
  }
}

/** Runs a provider with an input of `Hello` and gives the events that came out. */
export async function runToEnd(
  provider: ListProvider,
  options: Partial<Parameters<typeof runAgentProvider>[0]> = {},
): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  await runAgentProvider({ provider, input: 'Hello', run, onEvent: (event) => events.push(event), ...options })
  return events
}

export const typesOf = (events: readonly AgentEvent[]) => events.map(({ type }) => type)

/** Stands where nothing may be called. */
export const unused = () => {
  throw new Error('This must not be called.')
}

/** A signal that tells how many listeners are on it. */
export function countListeners(signal: AbortSignal): () => number {
  let count = 0
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...input: Parameters<typeof addEventListener>) => {
    count += 1
    addEventListener.apply(signal, input)
  }
  signal.removeEventListener = (...input: Parameters<typeof removeEventListener>) => {
    count -= 1
    removeEventListener.apply(signal, input)
  }
  return () => count
}

/** An error's `code`, or the value itself. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}
