import * as toolkit from '@reduxjs/toolkit'
import * as query from '@reduxjs/toolkit/query'
import { createAgentRuntime } from 'redux-agent'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { agentEndpoints } from 'redux-agent/rtk-query'
import * as oldToolkit from 'reduxjs-toolkit-2.6'
import * as oldQuery from 'reduxjs-toolkit-2.6/query'
import { describe, expect, it } from 'vitest'
import { expectSilentConsole } from '../store/createHarness.ts'
import { settle } from './support/createEndpointApp.tsx'
import { createRunHost } from './support/createRunHost.ts'
import { holdTestClock } from './support/holdTestClock.ts'

holdTestClock()
expectSilentConsole()

// The types of two copies are two types; what is tested here is what they do.
const versions: [name: string, toolkit: typeof toolkit, query: typeof query][] = [
  ['2.6', oldToolkit as unknown as typeof toolkit, oldQuery as unknown as typeof query],
  ['today', toolkit, query],
]

describe.each(versions)('with RTK %s', (_name, { configureStore }, { createApi, fetchBaseQuery }) => {
  function createApp() {
    const host = createRunHost()
    const provider = createRunServerProvider({ baseUrl: 'http://host.test', fetch: host.fetch })
    const agent = createAgentRuntime({ providers: [provider] })
    const api = createApi({
      reducerPath: 'chat',
      baseQuery: fetchBaseQuery({ baseUrl: 'http://host.test', fetchFn: host.fetch }),
      keepUnusedDataFor: 0,
      endpoints: () => ({}),
    }).injectEndpoints({ endpoints: (build) => agentEndpoints(build, { pageSize: { messages: 4, events: 3 } }) })
    const store = configureStore({
      reducer: { agent: agent.reducer, [api.reducerPath]: api.reducer },
      middleware: (getDefault) => getDefault().concat(agent.middleware, api.middleware),
      devTools: false,
    })
    return { host, agent, api, store, dispatch: store.dispatch, endpoints: api.endpoints }
  }

  it('reads conversations, history, runs and logs', async () => {
    const { host, dispatch, endpoints } = createApp()
    for (const id of ['r1', 'r2', 'r3']) {
      const run = host.createRun(id, 'c1')
      run.speak('Something.')
      run.end()
    }
    const list = await dispatch(endpoints.conversations.initiate(undefined))
    expect(list.data!.pages[0]!.conversations).toHaveLength(1)
    const { data } = await dispatch(endpoints.conversation.initiate('c1'))
    expect(data!.messages).toHaveLength(4)
    const arg = { conversationId: 'c1', before: data!.nextCursor! }
    const history = await dispatch(endpoints.conversationHistory.initiate(arg))
    expect(history.data!.pages[0]!.messages).toHaveLength(2)
    const again = await dispatch(endpoints.conversation.initiate('c1', { forceRefetch: true }))
    expect(again.data).toBe(data)
    const run = await dispatch(endpoints.run.initiate('r1'))
    expect(run.data!.status).toBe('completed')
    const first = await dispatch(endpoints.runEvents.initiate({ runId: 'r1' }))
    expect(first.hasNextPage).toBe(true)
    const missing = await dispatch(endpoints.run.initiate('none'))
    expect(missing.error).toMatchObject({ status: 404 })
  })

  it('follows a run, starts one, and reconciles it at its end', async () => {
    const { host, agent, dispatch, endpoints, store } = createApp()
    const other = host.createRun('r1', 'c1')
    other.speak('Of another tab. ')
    const subscription = dispatch(endpoints.followRun.initiate('r1'))
    await settle()
    other.say('message.delta', { messageId: 'm1', delta: 'And more.' })
    await settle()
    expect(endpoints.followRun.select('r1')(store.getState()).data).toMatchObject({ connection: 'connected' })
    expect(JSON.stringify(agent.selectors.selectMessages(store.getState(), 'c1'))).toContain('Of another tab. And more.')
    subscription.unsubscribe()
    await settle()
    expect(host.wireOf('r1')).toEqual({ opened: 1, closed: 1, atOnce: 1 })

    void dispatch(endpoints.conversation.initiate('c2'))
    const { data } = await dispatch(endpoints.startRun.initiate({ sessionId: 'c2', input: { message: 'Hi' } }))
    await dispatch(endpoints.conversation.initiate('c2', { forceRefetch: true }))
    const own = host.startedRun(data!.runId)
    own.speak('An answer.')
    await settle()
    expect(agent.selectors.selectRun(store.getState(), { runId: data!.runId })!.status).toBe('running')
    own.end()
    await settle(40)
    expect(agent.selectors.selectRun(store.getState(), { runId: data!.runId })).toBeUndefined()
    expect(endpoints.conversation.select('c2')(store.getState()).data!.messages.at(-1)!.content).toBe('An answer.')
  })
})
