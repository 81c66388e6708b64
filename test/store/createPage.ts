import { configureStore, type StoreEnhancer } from '@reduxjs/toolkit'
import {
  createAgentRuntime,
  type AgentCheckpointStorage,
  type AgentEnvironment,
  type AgentRuntimeOptions,
} from 'redux-agent'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { createFakeEnvironment, endOfTask } from './createHarness.ts'

/** A page over a run server: a store of its own, in a browser whose storage outlives it. */
export function createPage(options: {
  fetch: typeof globalThis.fetch
  storage: AgentCheckpointStorage
  ids?: readonly string[]
  runtime?: Partial<AgentRuntimeOptions<'agent'>>
  /** What the page has besides its clock, ids, timers and frames. */
  environment?: Partial<AgentEnvironment>
  enhancer?: StoreEnhancer
}) {
  const { fetch, storage, ids = ['r1'], runtime, environment, enhancer } = options
  const fake = createFakeEnvironment({ ids })
  const transformed: unknown[] = []
  const adapter = createRunServerProvider({ fetch, idleTimeout: 0, createMessageId: () => 'm1' })
  const provider = {
    ...adapter,
    transformError(error: unknown) {
      transformed.push(error)
      return []
    },
  }
  const agent = createAgentRuntime({
    providers: [provider],
    environment: { ...fake.environment, ...environment },
    checkpointStorage: storage,
    ...runtime,
  })
  const store = configureStore({
    reducer: { agent: agent.reducer },
    middleware: (getDefault) =>
      getDefault({ serializableCheck: false, immutableCheck: false }).concat(agent.middleware),
    enhancers: (getDefault) => (enhancer ? getDefault().concat(enhancer) : getDefault()),
    devTools: false,
  })
  const { selectors, actions } = agent

  async function rest(turns = 6) {
    for (let turn = 0; turn < turns; turn += 1) {
      await endOfTask()
      fake.fireFrame()
    }
  }

  return {
    ...fake,
    agent,
    store,
    transformed,
    rest,
    open: (sessionId = 's1') => store.dispatch(actions.openSession({ sessionId })),
    start: (message = 'Go') =>
      store.dispatch(actions.startRun({ sessionId: 's1', provider: 'run-server', input: { message } })),
    /** Lets everything happen, every wait ended at once, until nothing is requested any more. */
    async finish() {
      for (let turns = 0; turns < 500; turns += 1) {
        await rest(1)
        fake.fireAllTimers()
        const state = selectors.selectConnectionState(store.getState(), { sessionId: 's1' })
        if (!['restoring', 'connecting', 'connected', 'reconnecting'].includes(state)) return
      }
      throw new Error('The page never comes to a rest.')
    },
    state: () => selectors.selectAgentState(store.getState(), 's1'),
    isFollowing: (sessionId = 's1') => selectors.selectIsFollowing(store.getState(), sessionId),
    session: () => selectors.selectConnectionState(store.getState(), { sessionId: 's1' }),
    connection: (runId = 'r1') => selectors.selectRunConnection(store.getState(), runId),
    checkpointError: () => selectors.selectCheckpointError(store.getState(), 's1'),
    commands: () => Object.values(selectors.selectCommandStates(store.getState(), 's1')),
  }
}

/** Answers that hold back what comes after so many bytes, by the request's number, and never end then. */
export function createHangingFetch(
  fetch: typeof globalThis.fetch,
  hangAfterBytes: (index: number) => number | undefined,
): typeof globalThis.fetch {
  let requests = 0
  return async (...input) => {
    const size = hangAfterBytes(requests)
    requests += 1
    const response = await fetch(...input)
    if (size === undefined) return response
    return hangAfter(response, size)
  }
}

/** An answer that holds back what comes after so many bytes, and never ends. */
export async function hangAfter(response: Response, size: number): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer()).slice(0, size)
  const body = new ReadableStream({ start: (controller) => controller.enqueue(bytes) })
  return new Response(body, { headers: response.headers })
}
