import {
  combineReducers,
  combineSlices,
  configureStore,
  createDynamicMiddleware,
  createListenerMiddleware,
  createSlice,
  type WithSlice,
} from '@reduxjs/toolkit'
import { AgentRuntimeError, createAgentRuntime, replayAgentEvents, type AgentSlice } from 'redux-agent'
import { createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { appTouched, createFakeEnvironment, createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'
import { createShortRun } from './createRunEvents.ts'

expectSilentConsole()

const provider = () =>
  createScriptedProvider<string>({ steps: (sessionId, { runId }) => [{ events: createShortRun(runId, sessionId) }] })
const start = { sessionId: 's1', provider: 'scripted', input: 's1' }

function errorOf(attempt: () => unknown): unknown {
  try {
    attempt()
  } catch (error) {
    return error
  }
  return undefined
}

describe('a runtime that is not set up', () => {
  it('says that its middleware is missing, and what to add', () => {
    const agent = createAgentRuntime({ providers: [provider()] })
    const store = configureStore({ reducer: { agent: agent.reducer }, devTools: false })
    const error = errorOf(() => store.dispatch(agent.actions.startRun(start)))
    expect(error).toBeInstanceOf(AgentRuntimeError)
    expect(error).toMatchObject({
      code: 'middleware_missing',
      message: expect.stringContaining('concat(agent.middleware)'),
    })
  })

  it('says that its reducer is missing, and what to add', () => {
    const agent = createAgentRuntime({ reducerPath: 'helper', providers: [provider()] })
    const store = configureStore({
      reducer: { other: (state: number = 0) => state },
      middleware: (getDefault) => getDefault().concat(agent.middleware),
      devTools: false,
    })
    const error = errorOf(() => store.dispatch(agent.actions.startRun(start)))
    expect(error).toMatchObject({
      code: 'reducer_missing',
      message: expect.stringContaining('[agent.reducerPath]: agent.reducer'),
    })
    expect(error).toMatchObject({ message: expect.stringContaining('"helper"') })
  })

  it('says that something else stands at its path', () => {
    const agent = createAgentRuntime({ providers: [provider()] })
    for (const taken of [
      (state: unknown = { mine: 1 }) => state,
      (state: unknown = 7) => state,
      (state: unknown = null) => state,
    ]) {
      const store = configureStore({
        reducer: { agent: taken },
        middleware: (getDefault) => getDefault().concat(agent.middleware),
        devTools: false,
      })
      expect(errorOf(() => store.dispatch(agent.actions.startRun(start)))).toMatchObject({ code: 'path_taken' })
    }
  })

  it('says that another runtime has its path', () => {
    const [first, second] = [createAgentRuntime({ providers: [provider()] }), createAgentRuntime()]
    const store = configureStore({
      reducer: { agent: first.reducer },
      middleware: (getDefault) => getDefault().concat(first.middleware, second.middleware),
      devTools: false,
    })
    expect(errorOf(() => store.dispatch(first.actions.startRun(start)))).toMatchObject({ code: 'path_taken' })
    expect(errorOf(() => store.dispatch(second.actions.startRun(start)))).toMatchObject({ code: 'path_taken' })
  })

  it('says which providers it knows', async () => {
    const { store, agent } = createHarness({ providers: [provider()] })
    const refused = store.dispatch(agent.actions.startRun({ ...start, provider: 'constructor' }))
    await expect(refused.unwrap()).rejects.toMatchObject({
      code: 'unknown_provider',
      message: expect.stringContaining('"scripted"'),
    })
    expect(refused.runId).toBe('')
    const empty = createHarness()
    await expect(empty.store.dispatch(empty.agent.actions.startRun(start)).unwrap()).rejects.toMatchObject({
      message: expect.stringContaining('none'),
    })
  })
})

describe('runtimes and stores', () => {
  it('two runtimes stand side by side in one store', async () => {
    const [first, second] = ['one', 'two'].map((reducerPath) =>
      createAgentRuntime({
        reducerPath,
        providers: [provider()],
        environment: createFakeEnvironment({ ids: [`r-${reducerPath}`] }).environment,
      }),
    ) as [ReturnType<typeof createAgentRuntime<string>>, ReturnType<typeof createAgentRuntime<string>>]
    const store = configureStore({
      reducer: combineReducers({ [first.reducerPath]: first.reducer, [second.reducerPath]: second.reducer }),
      middleware: (getDefault) => getDefault().concat(first.middleware, second.middleware),
      devTools: false,
    })
    await Promise.all([store.dispatch(first.actions.startRun(start)), store.dispatch(second.actions.startRun(start))])
    const root = store.getState() as Record<string, AgentSlice>
    expect(first.selectors.selectAgentState(root, 's1')).toEqual(replayAgentEvents(createShortRun('r-one')))
    expect(second.selectors.selectAgentState(root, 's1')).toEqual(replayAgentEvents(createShortRun('r-two')))
  })

  it('one runtime serves many stores, such as one a request, and mixes nothing', async () => {
    const agent = createAgentRuntime({ providers: [provider()] })
    const createStore = () =>
      configureStore({
        reducer: { agent: agent.reducer },
        middleware: (getDefault) => getDefault().concat(agent.middleware),
        devTools: false,
      })
    const stores = [createStore(), createStore(), createStore()]
    const tasks = stores.map((store, index) =>
      store.dispatch(agent.actions.startRun({ ...start, sessionId: `s${index}`, input: `s${index}` })),
    )
    await Promise.all(tasks)
    stores.forEach((store, index) => {
      const { agentState, connection } = store.getState().agent
      expect(Object.keys(agentState.sessions)).toEqual([`s${index}`])
      expect(Object.keys(connection.runs)).toEqual([tasks[index]!.runId])
    })
    const mine = createScriptedProvider({ id: 'mine', steps: [] })
    await stores[0]!.dispatch(agent.actions.startRun({ ...start, provider: mine }))
    const unknown = stores[1]!.dispatch(agent.actions.startRun({ ...start, provider: 'mine' }))
    await expect(unknown.unwrap()).rejects.toMatchObject({ code: 'unknown_provider' })
  })

  it('a state that a server made goes on in the browser', async () => {
    const server = createHarness({ providers: [provider()], ids: ['r1'] })
    await server.store.dispatch(server.agent.actions.startRun(start))
    const preloadedState = JSON.parse(JSON.stringify(server.store.getState())) as { agent: AgentSlice }
    const agent = createAgentRuntime({
      providers: [provider()],
      environment: createFakeEnvironment({ ids: ['r2'] }).environment,
    })
    const store = configureStore({
      reducer: { agent: agent.reducer },
      preloadedState: { agent: preloadedState.agent },
      middleware: (getDefault) => getDefault().concat(agent.middleware),
      devTools: false,
    })
    expect(agent.selectors.selectAgentState(store.getState(), 's1')).toEqual(server.state())
    await store.dispatch(agent.actions.startRun(start)).unwrap()
    const events = [...createShortRun('r1'), ...createShortRun('r2')]
    expect(agent.selectors.selectAgentState(store.getState(), 's1')).toEqual(replayAgentEvents(events))
  })

  it('a state that was preloaded while it lacked something goes on too', async () => {
    const { agent: slice } = createHarness().store.getState()
    const agent = createAgentRuntime({
      providers: [provider()],
      environment: createFakeEnvironment({ ids: ['r1'] }).environment,
    })
    const store = configureStore({
      reducer: { agent: agent.reducer },
      preloadedState: { agent: { ...slice, agentState: { ...slice.agentState, batch: -1 } } },
      middleware: (getDefault) => getDefault().concat(agent.middleware),
      devTools: false,
    })
    await store.dispatch(agent.actions.startRun(start)).unwrap()
    expect(agent.selectors.selectAgentState(store.getState(), 's1')).toEqual(replayAgentEvents(createShortRun('r1')))
    expect(store.getState().agent.agentState.batch).toBeGreaterThan(0)
  })

  it('a run of a preloaded state takes commands again, by the provider that it names', async () => {
    const opening = createShortRun('r1').slice(0, 3)
    const cancelled = {
      'run.cancel': [
        {
          events: (
            events: Parameters<
              Extract<Parameters<typeof createScriptedProvider>[0]['start'], (...args: never) => unknown>
            >[0],
          ) => [events.create('run.cancelled', {})],
        },
      ],
    }
    const before = createHarness({
      providers: [createScriptedProvider({ steps: [{ events: opening }], commands: cancelled })],
      ids: ['r1'],
    })
    await before.store.dispatch(before.agent.actions.startRun(start))
    const agent = createAgentRuntime({ providers: [createScriptedProvider({ steps: [], commands: cancelled })] })
    const store = configureStore({
      reducer: { agent: agent.reducer },
      preloadedState: { agent: before.store.getState().agent },
      middleware: (getDefault) => getDefault().concat(agent.middleware),
      devTools: false,
    })
    await store.dispatch(agent.actions.cancelRun({ runId: 'r1' })).unwrap()
    expect(agent.selectors.selectRun(store.getState(), { runId: 'r1' })?.status).toBe('cancelled')
  })

  it('is injected late, into combineSlices and a dynamic middleware', async () => {
    const counter = createSlice({ name: 'counter', initialState: 0, reducers: {} })
    const dynamic = createDynamicMiddleware()
    const agent = createAgentRuntime({
      reducerPath: 'agent',
      providers: [provider()],
      environment: createFakeEnvironment({ ids: ['r1'] }).environment,
    })
    const rootReducer = combineSlices(counter).withLazyLoadedSlices<WithSlice<typeof agent>>()
    const store = configureStore({
      reducer: rootReducer,
      middleware: (getDefault) => getDefault().concat(dynamic.middleware),
      devTools: false,
    })
    store.dispatch(appTouched())
    expect(errorOf(() => store.dispatch(agent.actions.startRun(start)))).toMatchObject({ code: 'middleware_missing' })
    rootReducer.inject(agent)
    dynamic.addMiddleware(agent.middleware)
    store.dispatch(appTouched())
    expect(store.getState().agent).toBeDefined()
    await store.dispatch(agent.actions.startRun(start)).unwrap()
    expect(agent.selectors.selectAgentState(store.getState() as { agent: AgentSlice }, 's1')).toEqual(
      replayAgentEvents(createShortRun('r1')),
    )
  })

  it('takes a reducer that was injected with nothing dispatched since', async () => {
    const agent = createAgentRuntime({
      reducerPath: 'agent',
      providers: [provider()],
      environment: createFakeEnvironment({ ids: ['r1'] }).environment,
    })
    const rootReducer = combineSlices({ other: (state: number = 0) => state }).withLazyLoadedSlices<
      WithSlice<typeof agent>
    >()
    const store = configureStore({
      reducer: rootReducer,
      middleware: (getDefault) => getDefault().concat(agent.middleware),
      devTools: false,
    })
    rootReducer.inject(agent)
    await store.dispatch(agent.actions.startRun(start)).unwrap()
    expect(store.getState().agent?.agentState.sessions.s1).toBeDefined()
  })

  it('works beside the listeners of the app, which may act on what is told', async () => {
    const listener = createListenerMiddleware()
    const agent = createAgentRuntime({
      providers: [provider()],
      environment: createFakeEnvironment({ ids: ['r1', 'r2'] }).environment,
    })
    const store = configureStore({
      reducer: { agent: agent.reducer },
      middleware: (getDefault) => getDefault().prepend(listener.middleware).concat(agent.middleware),
      devTools: false,
    })
    let followUps = 0
    listener.startListening({
      actionCreator: agent.events.eventsReceived,
      effect(_, api) {
        if (followUps++ === 0) api.dispatch(agent.actions.startRun({ ...start, sessionId: 's2', input: 's2' }) as never)
      },
    })
    await store.dispatch(agent.actions.startRun(start))
    await endOfTask()
    expect(agent.selectors.selectAgentState(store.getState(), 's1')).toEqual(replayAgentEvents(createShortRun('r1')))
    expect(agent.selectors.selectAgentState(store.getState(), 's2')).toEqual(
      replayAgentEvents(createShortRun('r2', 's2')),
    )
  })

  it('has surroundings of its own where none are injected', async () => {
    const agent = createAgentRuntime({ providers: [provider()] })
    const store = configureStore({
      reducer: { agent: agent.reducer },
      middleware: (getDefault) => getDefault().concat(agent.middleware),
      devTools: false,
    })
    expect(agent.reducerPath).toBe('agent')
    const task = store.dispatch(agent.actions.startRun(start))
    expect(task.runId).toMatch(/^[0-9a-f-]{36}$/)
    await task.unwrap()
    expect(agent.selectors.selectRun(store.getState(), task)?.status).toBe('completed')
  })
})
