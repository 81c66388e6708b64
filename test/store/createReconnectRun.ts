import { configureStore } from '@reduxjs/toolkit'
import { createAgentRuntime, replayAgentEvents, type AgentEvent, type AgentRuntimeOptions } from 'redux-agent'
import { createRunServerProvider, type RunServerProvider } from 'redux-agent/adapters/run-server'
import { createFaultyFetch, type FetchFaults } from 'redux-agent/testing'
import { createFakeRunServer, encodeLog } from './createFakeRunServer.ts'
import { createFakeEnvironment, endOfTask } from './createHarness.ts'

/** A run of the real run server adapter against a server whose answers break as planned, by the request's number. */
export function createReconnectRun(options: {
  log: readonly AgentEvent[]
  server?: ReturnType<typeof createFakeRunServer> | undefined
  plan?: (index: number) => FetchFaults
  reconnect?: AgentRuntimeOptions<'agent'>['reconnect']
  /** Makes another provider of the adapter's, one that does it wrong. */
  spoil?: (provider: RunServerProvider) => RunServerProvider
}) {
  const { log, server = createFakeRunServer(encodeLog(log)), plan = () => ({}), reconnect, spoil } = options
  const fake = createFakeEnvironment({ ids: ['r1'] })
  const transformed: unknown[] = []
  const adapter = createRunServerProvider({
    fetch: createFaultyFetch(server.fetch, plan),
    idleTimeout: 0,
    createMessageId: () => 'm1',
  })
  const provider: RunServerProvider = {
    ...(spoil?.(adapter) ?? adapter),
    transformError(error) {
      transformed.push(error)
      return []
    },
  }
  const agent = createAgentRuntime({ providers: [provider], environment: fake.environment, reconnect })
  // Thousands of runs: RTK's development checks would take most of their time; other tests have them on.
  const store = configureStore({
    reducer: { agent: agent.reducer },
    middleware: (getDefault) =>
      getDefault({ serializableCheck: false, immutableCheck: false }).concat(agent.middleware),
    devTools: false,
  })
  const { selectors, actions } = agent
  const start = () =>
    store.dispatch(actions.startRun({ sessionId: 's1', provider: 'run-server', input: { message: 'Go' } }))

  /** Lets everything happen, every wait ended at once, until the work is done. */
  async function settle(work: Promise<unknown>, turn: () => void = () => undefined) {
    let isDone = false
    void work.then(() => (isDone = true))
    for (let turns = 0; !isDone; turns += 1) {
      if (turns > 2000) throw new Error('The run never settles.')
      await endOfTask()
      turn()
      fake.fireAllTimers()
    }
  }

  return {
    ...fake,
    agent,
    store,
    server,
    provider,
    transformed,
    start,
    settle,
    connection: () => selectors.selectRunConnection(store.getState(), 'r1'),
    state: () => selectors.selectAgentState(store.getState(), 's1'),
    replayed: () => replayAgentEvents(log),
  }
}
