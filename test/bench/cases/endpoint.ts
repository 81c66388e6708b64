import { configureStore, type Middleware } from '@reduxjs/toolkit'
import { createApi, fakeBaseQuery } from '@reduxjs/toolkit/query'
import { createAgentRuntime, createAsyncIterableTransport, type AgentEvent, type AgentProvider } from 'redux-agent'
import { providerEndpoint } from 'redux-agent/rtk-query'
import { createScript } from '../createScript.ts'
import type { BenchResult } from '../benchResult.ts'

/** Counts the JSON of all actions that pass, in characters. */
function createCounter() {
  let size = 0
  const middleware: Middleware = () => (next) => (action) => {
    const passed = next(action)
    if (typeof action === 'object') size += JSON.stringify(action).length
    return passed
  }
  return { middleware, getSize: () => size }
}

/** (e) A provider's endpoint against `updateCachedData` once a delta: the JSON of the actions, and the time. */
export async function endpoint(deltas: number): Promise<BenchResult> {
  // Ids as long as they are: each a UUID, the event's own too, which cannot be told from anything else.
  const events = createScript({ deltas, sessionId: uuidOf(0) }).map((event, index) => ({ ...event, eventId: uuidOf(index) }))
  const [own, patched] = [await measureEndpoint(events), await measurePatches(events)]
  return {
    events: events.length,
    microseconds: (own.time * 1000) / events.length,
    floor: (patched.time * 1000) / events.length,
    extra: { megabytes: own.size / 1e6, patchedMegabytes: patched.size / 1e6 },
  }
}

const uuidOf = (index: number) => `c3a10c3e-aaaa-4bbb-8ccc-${String(index).padStart(12, '0')}`

async function measureEndpoint(events: readonly AgentEvent[]) {
  const { sessionId, runId } = events[0]!
  const provider: AgentProvider<undefined, undefined, readonly AgentEvent[], unknown> = {
    id: 'bench',
    protocol: { name: 'agent-event', version: '0.1' },
    capabilities: { eventTypes: [...new Set(events.map(({ type }) => type))], transports: ['async-iterable'] },
    transport: createAsyncIterableTransport(async function* () {
      for (let at = 0; at < events.length; at += 50) yield events.slice(at, at + 50)
    }),
    createContext: () => undefined,
    start: () => [],
    prepareRequest: () => undefined,
    transformChunk: (chunk) => chunk,
    flush: () => [],
    transformError: () => [],
  }
  const counter = createCounter()
  const agent = createAgentRuntime({ providers: [provider] })
  const api = createApi({
    baseQuery: fakeBaseQuery(),
    endpoints: (build) => ({ ask: providerEndpoint(build, provider) }),
  })
  const store = configureStore({
    reducer: { agent: agent.reducer, [api.reducerPath]: api.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware, api.middleware, counter.middleware),
  })
  const begin = performance.now()
  const isOver = () => agent.selectors.selectRun(store.getState(), { runId })?.status === 'completed'
  const over = new Promise<void>((resolve) => void store.subscribe(() => isOver() && resolve()))
  void store.dispatch(api.endpoints.ask.initiate({ sessionId, input: undefined, runId }))
  await over
  return { time: performance.now() - begin, size: counter.getSize() }
}

async function measurePatches(events: readonly AgentEvent[]) {
  const counter = createCounter()
  let write!: (update: (draft: { text: string }) => void) => void
  const api = createApi({
    baseQuery: fakeBaseQuery(),
    endpoints: (build) => ({
      ask: build.query<{ text: string }, void>({
        queryFn: () => ({ data: { text: '' } }),
        onCacheEntryAdded: (_arg, { updateCachedData }) => void (write = updateCachedData),
      }),
    }),
  })
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (getDefault) => getDefault().concat(api.middleware, counter.middleware),
  })
  await store.dispatch(api.endpoints.ask.initiate())
  const begin = performance.now()
  for (const event of events) {
    if (event.type !== 'message.delta') continue
    write((draft) => {
      draft.text += event.payload.delta as string
    })
  }
  return { time: performance.now() - begin, size: counter.getSize() }
}
