import { configureStore, createAction, createListenerMiddleware, createSlice, type PayloadAction } from '@reduxjs/toolkit'
import { createApi, fetchBaseQuery, retry } from '@reduxjs/toolkit/query/react'
import { act, render, screen } from '@testing-library/react'
import { Provider } from 'react-redux'
import { createMemoryRouter, Link, RouterProvider, useParams } from 'react-router'
import { getReceivedEvents } from 'redux-agent'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { createAgentRuntime } from 'redux-agent/react'
import { agentEndpoints } from 'redux-agent/rtk-query'
import { FLUSH, PAUSE, PERSIST, persistReducer, persistStore, PURGE, REGISTER, REHYDRATE } from 'redux-persist'
import { afterEach, describe, expect, it } from 'vitest'
import { expectSilentConsole } from '../store/createHarness.ts'
import { settle } from './support/createEndpointApp.tsx'
import { createRunHost } from './support/createRunHost.ts'
import { holdTestClock } from './support/holdTestClock.ts'

holdTestClock()
expectSilentConsole()
afterEach(() => document.body.replaceChildren())

function createMemoryEngine() {
  const stored = new Map<string, string>()
  return {
    stored,
    engine: {
      getItem: async (key: string) => stored.get(key) ?? null,
      setItem: async (key: string, value: string) => void stored.set(key, value),
      removeItem: async (key: string) => void stored.delete(key),
    },
  }
}

/** An app that was there before: persisted settings, a router, an api of its own, listeners. */
function createApp() {
  const host = createRunHost()
  const { stored, engine } = createMemoryEngine()
  const settings = createSlice({
    name: 'settings',
    initialState: { theme: 'light' },
    reducers: { themed: (state, { payload }: PayloadAction<string>) => void (state.theme = payload) },
  })
  const noted = createAction<string>('noted')
  const listener = createListenerMiddleware()
  const heard: string[] = []

  const todosApi = createApi({
    reducerPath: 'todosApi',
    baseQuery: retry(fetchBaseQuery({ baseUrl: 'http://host.test' }), { maxRetries: 0 }),
    tagTypes: ['Todo', 'Talk'],
    endpoints: (build) => ({
      todos: build.query<string[], void>({ queryFn: () => ({ data: ['Buy milk'] }), providesTags: ['Todo'] }),
    }),
  })
  const provider = createRunServerProvider({ id: 'support', baseUrl: 'http://host.test', fetch: host.fetch })
  const agent = createAgentRuntime({ reducerPath: 'support', providers: [provider] })
  const chatApi = createApi({
    reducerPath: 'chatApi',
    baseQuery: fetchBaseQuery({ baseUrl: 'http://host.test', fetchFn: host.fetch }),
    tagTypes: ['Talk'],
    endpoints: (build) => agentEndpoints(build, { reducerPath: 'support', tags: { conversation: 'Talk' } }),
  })
  // redux-persist's types are those of Redux 4: what it gives is known as what it was given.
  const persisted = persistReducer({ key: 'settings', storage: engine }, settings.reducer) as unknown
  const store = configureStore({
    reducer: {
      settings: persisted as typeof settings.reducer,
      [todosApi.reducerPath]: todosApi.reducer,
      [chatApi.reducerPath]: chatApi.reducer,
      [agent.reducerPath]: agent.reducer,
    },
    middleware: (getDefault) =>
      getDefault({ serializableCheck: { ignoredActions: [FLUSH, REHYDRATE, PAUSE, PERSIST, PURGE, REGISTER] } })
        .prepend(listener.middleware)
        .concat(todosApi.middleware, chatApi.middleware, agent.middleware),
    devTools: false,
  })
  listener.startListening({
    matcher: agent.events.eventsReceived.match,
    effect: (action) => void heard.push(...getReceivedEvents(action).map(({ type }) => type)),
  })
  listener.startListening({ actionCreator: noted, effect: ({ payload }) => void heard.push(payload) })
  const persistor = persistStore(store)

  function Talk() {
    const { id = '' } = useParams()
    const { data } = chatApi.useConversationQuery(id)
    const { messages } = agent.useXChat({ provider: 'support', conversationKey: id, history: data?.messages })
    const { data: todos } = todosApi.useTodosQuery()
    return (
      <section>
        <Link to="/">Back</Link>
        <p>{messages.map(({ message }) => String(message.content)).join('/')}</p>
        <aside>{todos?.join()}</aside>
      </section>
    )
  }
  const router = createMemoryRouter([
    { path: '/', element: <Link to="/talks/c1">Open</Link> },
    { path: '/talks/:id', element: <Talk /> },
  ])
  const page = () =>
    render(
      <Provider store={store}>
        <RouterProvider router={router} />
      </Provider>,
    )
  return { host, stored, settings, noted, heard, store, persistor, agent, chatApi, page, router }
}

describe('an app that had redux-persist, a router, an api and listeners before', () => {
  it('takes the agent and its endpoints without a warning or a collision', async () => {
    const app = createApp()
    const past = app.host.createRun('past', 'c1')
    past.speak('Said before.')
    past.end()
    app.page()
    await act(() => settle())
    await act(async () => screen.getByRole('link', { name: 'Open' }).click())
    await act(() => settle())
    expect(screen.getByRole('paragraph').textContent).toBe('Hello?/Said before.')
    expect(screen.getByRole('complementary').textContent).toBe('Buy milk')

    await act(async () => {
      await app.store.dispatch(
        app.chatApi.endpoints.startRun.initiate({ sessionId: 'c1', input: { message: 'Hi' }, runId: 'own' }),
      )
      app.host.startedRun('own').speak('It answers.')
      await settle()
    })
    // The page is left while the run goes on, and comes back to all of it.
    await act(async () => screen.getByRole('link', { name: 'Back' }).click())
    await act(() => settle())
    app.host.startedRun('own').end()
    await act(() => settle())
    await act(async () => screen.getByRole('link', { name: 'Open' }).click())
    await act(() => settle())
    expect(screen.getByRole('paragraph').textContent).toBe('Hello?/Said before./Hello?/It answers.')
    expect(app.host.wireOf('own')).toEqual({ opened: 1, closed: 1, atOnce: 1 })

    app.store.dispatch(app.settings.actions.themed('dark'))
    app.store.dispatch(app.noted('a note'))
    await act(async () => app.persistor.flush())
    await act(() => settle())
    expect(app.heard).toEqual(expect.arrayContaining(['run.started', 'message.delta', 'run.completed', 'a note']))
    expect([...app.stored.keys()]).toEqual(['persist:settings'])
    expect([...app.stored.values()].join()).toContain('dark')
    // The app's own types hold.
    const state = app.store.getState()
    const theme: string = state.settings.theme
    expect([theme, Object.keys(state)]).toEqual(['dark', ['settings', 'todosApi', 'chatApi', 'support']])
  })
})
