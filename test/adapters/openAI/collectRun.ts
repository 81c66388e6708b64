import {
  createAgentStore,
  runAgentProvider,
  type AgentEvent,
  type AgentProvider,
  type AgentState,
  type RunAgentProviderOptions,
} from 'redux-agent'

/** Runs a provider to the end of its wire, without a Redux store, and gives all that came of it. */
export async function collectRun<Input, Request, Chunk, Context>(
  provider: AgentProvider<Input, Request, Chunk, Context>,
  options: {
    input: Input
    runId?: string
    initialState?: AgentState
    initialSequence?: number
    cursor?: string
    decide?: 'transform' | 'stop'
    checkEnd?: RunAgentProviderOptions<Input, Request, Chunk, Context>['checkEnd']
    signal?: AbortSignal
  },
) {
  const { input, runId = 'r1', initialState, initialSequence, cursor, decide = 'transform', checkEnd, signal } = options
  const store = createAgentStore(initialState && { initialState })
  const events: AgentEvent[] = []
  const cursors: { cursor: string; events: number }[] = []
  const failures: unknown[] = []
  await runAgentProvider({
    provider,
    input,
    run: { sessionId: 's1', runId, now: () => 1000, initialSequence, signal, getAgentState: () => store.getSnapshot() },
    ...(cursor !== undefined && { resume: { cursor } }),
    onEvent(event) {
      events.push(event)
      store.dispatch(event)
    },
    onCursor: (next) => cursors.push({ cursor: next, events: events.length }),
    checkEnd,
    onTransportError(error) {
      failures.push(error)
      return decide
    },
  })
  return { events, cursors, failures, state: store.getSnapshot() }
}
