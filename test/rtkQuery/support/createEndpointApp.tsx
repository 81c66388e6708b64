import { configureStore } from '@reduxjs/toolkit'
import { setupListeners, type FetchArgs } from '@reduxjs/toolkit/query'
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react'
import type { ReactNode } from 'react'
import { Provider } from 'react-redux'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { createAgentRuntime } from 'redux-agent/react'
import { agentEndpoints, type AgentEndpointRequests } from 'redux-agent/rtk-query'
import { vi } from 'vitest'
import type { RunHost } from './createRunHost.ts'

/** An app with an agent and its endpoints, in one store, against a run server in memory. */
export function createEndpointApp(
  host: RunHost,
  options: {
    keepUnusedDataFor?: number
    maxSettledRuns?: number
    reconcile?: boolean
    requests?: Partial<AgentEndpointRequests<string | FetchArgs>>
    pageSize?: { messages?: number; conversations?: number; events?: number }
    beforeRelease?: (run: { runId: string; sessionId: string }) => Promise<unknown> | undefined
  } = {},
) {
  const { maxSettledRuns, reconcile, requests, pageSize, beforeRelease } = options
  const provider = createRunServerProvider({ id: 'host', baseUrl: 'http://host.test', fetch: host.fetch })
  const timers = new Set<{ callback: () => void; delay: number }>()
  let lastId = 0
  const agent = createAgentRuntime({
    providers: [provider],
    maxSettledRuns,
    reconnect: { maxAttempts: 2, initialDelay: 10 },
    environment: {
      createId: () => `run${(lastId += 1)}`,
      random: () => 1,
      requestFrame(callback) {
        const frame = setImmediate(callback)
        return () => clearImmediate(frame)
      },
      // Waits end when the test says so.
      setTimer(callback, delay) {
        const timer = { callback, delay }
        timers.add(timer)
        return () => void timers.delete(timer)
      },
    },
  })
  const api = createApi({
    reducerPath: 'chatApi',
    baseQuery: fetchBaseQuery({
      baseUrl: 'http://host.test',
      fetchFn: host.fetch,
      prepareHeaders: (headers) => headers.set('x-app', 'mine'),
    }),
    tagTypes: ['Talk', 'Run'],
    keepUnusedDataFor: options.keepUnusedDataFor ?? 60,
    endpoints: (build) =>
      agentEndpoints(build, {
        tags: { conversation: 'Talk', run: 'Run' },
        reconcile,
        requests,
        pageSize,
        ...(beforeRelease && { beforeRelease }),
      }),
  })
  const store = configureStore({
    reducer: { [agent.reducerPath]: agent.reducer, [api.reducerPath]: api.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware, api.middleware),
    devTools: false,
  })
  const stopListening = setupListeners(store.dispatch)
  const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>

  return {
    agent,
    api,
    store,
    wrapper,
    stopListening,
    state: (sessionId: string) => agent.selectors.selectAgentState(store.getState(), sessionId),
    fireTimers(delay?: number) {
      for (const timer of [...timers]) {
        if ((delay === undefined || timer.delay === delay) && timers.delete(timer)) timer.callback()
      }
    },
    delays: () => [...timers].map(({ delay }) => delay),
    /** Settles once the store shows what is waited for. */
    when: (isSo: () => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => isSo() && (unsubscribe(), resolve())
        const unsubscribe = store.subscribe(check)
        check()
      }),
  }
}

/**
 * Lets all that is under way arrive: so many turns of the host, and what waits for a few milliseconds of the test's
 * clock; call `holdTestClock` before.
 */
export async function settle(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    vi.advanceTimersByTime(5)
    await new Promise<void>((resolve) => void setImmediate(resolve))
  }
}
