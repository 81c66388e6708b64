import { combineReducers, configureStore } from '@reduxjs/toolkit'
import { createApi, fakeBaseQuery } from '@reduxjs/toolkit/query'
import { AgentRuntimeError, createAgentRuntime } from 'redux-agent'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { agentEndpoints, providerEndpoint } from 'redux-agent/rtk-query'
import { describe, expect, it } from 'vitest'
import { createScriptedProvider } from '../features/support/createScriptedProvider.ts'
import { expectSilentConsole } from '../store/createHarness.ts'
import { settle } from './support/createEndpointApp.tsx'
import { createRunHost } from './support/createRunHost.ts'
import { holdTestClock } from './support/holdTestClock.ts'

holdTestClock()
expectSilentConsole()

function createAsk(options: { keepUnusedDataFor?: number; maxSettledRuns?: number } = {}) {
  const scripted = createScriptedProvider()
  const agent = createAgentRuntime({ reducerPath: 'helper', maxSettledRuns: options.maxSettledRuns })
  const api = createApi({
    baseQuery: fakeBaseQuery<{ status: 'CUSTOM_ERROR'; error: string; data?: unknown }>(),
    keepUnusedDataFor: options.keepUnusedDataFor ?? 60,
    endpoints: (build) => ({ ask: providerEndpoint(build, scripted.provider, { reducerPath: 'helper' }) }),
  })
  const store = configureStore({
    reducer: { [agent.reducerPath]: agent.reducer, [api.reducerPath]: api.reducer },
    middleware: (getDefault) => getDefault().concat(api.middleware, agent.middleware),
    devTools: false,
  })
  const arg = { sessionId: 's1', input: { text: 'Hello' } }
  return {
    scripted,
    agent,
    api,
    store,
    arg,
    ask: (given: typeof arg & { runId?: string } = arg) => store.dispatch(api.endpoints.ask.initiate(given)),
    state: () => agent.selectors.selectAgentState(store.getState(), 's1'),
  }
}

describe('the endpoint of a provider', () => {
  it('starts a run with the first subscription, whose content goes into the runtime’s state alone', async () => {
    const { scripted, api, store, arg, ask, state } = createAsk()
    const asking = ask()
    await settle()
    const [wire] = scripted.wires
    wire!.send('run.started', {})
    wire!.send('message.started', { messageId: 'm', role: 'assistant' })
    wire!.send('message.delta', { messageId: 'm', delta: 'Hello there' })
    await settle()
    const { data } = await asking
    expect(data).toMatchObject({ runId: wire!.runId, sessionId: 's1', status: 'running' })
    wire!.send('message.completed', { messageId: 'm' })
    wire!.send('run.completed', {})
    wire!.end()
    await settle()
    const entry = api.endpoints.ask.select(arg)(store.getState())
    expect(entry.data).toEqual({
      runId: wire!.runId,
      sessionId: 's1',
      status: 'completed',
      connection: 'idle',
      lastSequence: 5,
    })
    expect(Object.values(state().messages).map(({ content }) => content)).toEqual(['Hello there'])
    expect(JSON.stringify(entry)).not.toContain('Hello there')
  })

  it('is the same run for the same argument, also for those who come later or ask again', async () => {
    const { scripted, ask } = createAsk({ keepUnusedDataFor: 0 })
    const first = ask()
    await settle()
    scripted.wires[0]!.send('run.started', {})
    await settle()
    await first.refetch()
    first.unsubscribe()
    await settle()
    // The entry is gone, the run is not.
    expect(scripted.wires[0]!.signal.aborted).toBe(false)
    const second = await ask()
    expect(second.data!.runId).toBe(scripted.wires[0]!.runId)
    expect(scripted.wires).toHaveLength(1)
  })

  it('is remembered for as long as its entry or its run is there, and no longer', async () => {
    const { scripted, ask, state } = createAsk({ keepUnusedDataFor: 0, maxSettledRuns: 1 })
    const asking = async (text: string) => {
      const subscription = ask({ sessionId: 's1', input: { text } })
      await settle()
      const wire = scripted.wires.at(-1)!
      if (state().runs[wire.runId]?.status === 'running') {
        wire.send('run.completed', {})
        wire.end()
      }
      await settle()
      return { subscription, runId: (await subscription).data!.runId }
    }
    const shown = await asking('shown')
    const left = await asking('left')
    left.subscription.unsubscribe()
    await settle()
    const again = await asking('left')
    expect(again.runId).toBe(left.runId)
    again.subscription.unsubscribe()
    await asking('last')
    await settle()
    expect(Object.keys(state().runs)).toHaveLength(1)
    expect((await asking('shown')).runId).toBe(shown.runId)
    expect((await asking('left')).runId).not.toBe(left.runId)
  })

  it('is another run under another id', async () => {
    const { scripted, arg, ask } = createAsk()
    void ask({ ...arg, runId: 'a' })
    void ask({ ...arg, runId: 'b' })
    await settle()
    expect(scripted.wires.map(({ runId }) => runId)).toEqual(['a', 'b'])
  })

  it('says what went wrong with the wire', async () => {
    const { scripted, ask, api, store, arg } = createAsk()
    void ask()
    await settle()
    scripted.wires[0]!.break(new Error('The line is dead.'))
    await settle()
    expect(api.endpoints.ask.select(arg)(store.getState()).data).toMatchObject({ status: 'failed', connection: 'failed', error: { code: expect.any(String) } })
  })
})

describe('a run that failed to start', () => {
  it.each([
    ['under its id, where its server takes that once', 'dense', 1],
    ['under another id, where it would be taken for a second run', 'increasing', 3],
  ] as const)('is asked for again %s', async (_, sequence, idCount) => {
    const host = createRunHost()
    const sent: string[] = []
    const plain = createRunServerProvider({ baseUrl: 'http://host.test', fetch: host.fetch })
    const provider = {
      ...plain,
      capabilities: { ...plain.capabilities, sequence },
      transport: {
        ...plain.transport,
        open(request: Parameters<typeof plain.transport.open>[0], signal: AbortSignal) {
          sent.push(request.runId)
          return plain.transport.open(request, signal)
        },
      },
    }
    const agent = createAgentRuntime({ reconnect: false })
    const api = createApi({
      baseQuery: fakeBaseQuery<{ status: 'CUSTOM_ERROR'; error: string; data?: unknown }>(),
      endpoints: (build) => ({ ask: providerEndpoint(build, provider) }),
    })
    const store = configureStore({
      reducer: { [agent.reducerPath]: agent.reducer, [api.reducerPath]: api.reducer },
      middleware: (getDefault) => getDefault().concat(api.middleware, agent.middleware),
      devTools: false,
    })
    async function ask() {
      const asking = store.dispatch(
        api.endpoints.ask.initiate({ sessionId: 'c1', input: { message: 'Hello' } }, { forceRefetch: true }),
      )
      await settle()
      return asking
    }
    host.setReachable(false)
    expect((await ask()).error).toMatchObject({ data: { code: 'network' } })
    expect((await ask()).error).toMatchObject({ data: { code: 'network' } })
    host.setReachable(true)
    expect((await ask()).data).toMatchObject({ runId: sent.at(-1), status: 'running', connection: 'connected' })
    expect((await ask()).data).toMatchObject({ runId: sent.at(-1), connection: 'connected' })
    expect(sent).toHaveLength(3)
    expect(new Set(sent).size).toBe(idCount)
  })
})

describe('a store without the runtime', () => {
  const createBare = (parts: { reducer?: boolean; taken?: boolean }) => {
    const agent = createAgentRuntime()
    const api = createApi({ baseQuery: fakeBaseQuery(), endpoints: (build) => agentEndpoints(build) })
    const other = () => ({ something: 'else' })
    return {
      api,
      store: configureStore({
        reducer: combineReducers({
          [api.reducerPath]: api.reducer,
          touches: () => 0,
          ...((parts.reducer ? { agent: agent.reducer } : parts.taken ? { agent: other } : {}) as object),
        }),
        middleware: (getDefault) => getDefault().concat(api.middleware),
        devTools: false,
      }),
    }
  }

  it.each([
    ['reducer_missing', {}],
    ['middleware_missing', { reducer: true }],
    ['path_taken', { taken: true }],
  ])('says so once, and what to add: %s', async (code, parts) => {
    const { api, store } = createBare(parts)
    const started = await store.dispatch(api.endpoints.startRun.initiate({ sessionId: 's1', input: 'x' }))
    expect(started.error).toMatchObject({ status: 'CUSTOM_ERROR', data: { code } })
    const followed = await store.dispatch(api.endpoints.followRun.initiate('r1'))
    expect(followed.error).toMatchObject({ data: { code }, error: expect.stringMatching(/agent\.|reducerPath/) })
    expect(new AgentRuntimeError('reducer_missing', '').code).toBe('reducer_missing')
  })
})
