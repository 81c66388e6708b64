import { instrument, type LiftedState } from '@redux-devtools/instrument'
import { configureStore } from '@reduxjs/toolkit'
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query'
import { createAgentRuntime } from 'redux-agent'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { agentEndpoints } from 'redux-agent/rtk-query'
import { describe, expect, it } from 'vitest'
import { settle } from './support/createEndpointApp.tsx'
import { createRunHost } from './support/createRunHost.ts'
import { holdTestClock } from './support/holdTestClock.ts'

holdTestClock()

const deltas = 20_000
const [runId, sessionId, messageId] = ['9f8b2c3e', '5d1f0c3e', '77aa0c3e'].map((id) => `${id}-1f7a-4c52-9d11-6a5d0c3e7b42`)

describe('20,000 deltas of a run that is followed', () => {
  it('put less than 2 MB of actions through the store under UUIDs, next to none of them patches of the cache', async () => {
    const host = createRunHost()
    const run = host.createRun(runId!, sessionId!)
    run.say('message.started', { messageId: messageId!, role: 'assistant' })
    const provider = createRunServerProvider({ baseUrl: 'http://host.test', fetch: host.fetch })
    const agent = createAgentRuntime({ providers: [provider] })
    const api = createApi({
      baseQuery: fetchBaseQuery({ baseUrl: 'http://host.test', fetchFn: host.fetch }),
      endpoints: (build) => agentEndpoints(build),
    })
    const store = configureStore({
      reducer: { agent: agent.reducer, [api.reducerPath]: api.reducer },
      middleware: (getDefault) =>
        getDefault({ serializableCheck: false, immutableCheck: false }).concat(agent.middleware, api.middleware),
      enhancers: (getDefault) => getDefault().concat(instrument(undefined, { maxAge: Infinity })),
      devTools: false,
    })
    void store.dispatch(api.endpoints.followRun.initiate(runId!))
    await settle()
    for (let index = 0; index < deltas; index += 1) {
      run.say('message.delta', { messageId: messageId!, delta: 'token ' })
      // As a model writes: some at a time.
      if (index % 50 === 49) await settle(1)
    }
    run.end(messageId)
    await settle()
    expect(agent.selectors.selectRun(store.getState(), { runId: runId! })!.status).toBe('completed')

    const { liftedStore } = store as unknown as { liftedStore: { getState(): LiftedState<unknown, never, unknown> } }
    const { actionsById } = liftedStore.getState()
    const actions = Object.values(actionsById).map(({ action }) => action as { type: string })
    const sizeOf = (list: readonly unknown[]) => list.reduce<number>((sum, item) => sum + JSON.stringify(item).length, 0)
    expect(sizeOf(actions)).toBeLessThan(2_000_000)
    const patches = actions.filter(({ type }) => type.startsWith('api/'))
    expect(sizeOf(patches)).toBeLessThan(50_000)
  })
})
