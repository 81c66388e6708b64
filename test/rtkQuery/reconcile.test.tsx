import { ActionCreators, instrument } from '@redux-devtools/instrument'
import { configureStore } from '@reduxjs/toolkit'
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query'
import { act, render, screen } from '@testing-library/react'
import { StrictMode, useMemo } from 'react'
import { createAgentRuntime, createMemoryAgentCheckpointStorage } from 'redux-agent'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { AgentTimeline, toTimelineItems } from 'redux-agent/react'
import { agentEndpoints } from 'redux-agent/rtk-query'
import { afterEach, describe, expect, it } from 'vitest'
import { expectSilentConsole } from '../store/createHarness.ts'
import { createEndpointApp, settle } from './support/createEndpointApp.tsx'
import { createRunHost } from './support/createRunHost.ts'
import { holdTestClock } from './support/holdTestClock.ts'

holdTestClock()
expectSilentConsole()
afterEach(() => document.body.replaceChildren())

type App = ReturnType<typeof createEndpointApp>
const calm = (turns?: number) => act(() => settle(turns))

function createChat(options: Parameters<typeof createEndpointApp>[1] & { hasHistory?: boolean; conversationId?: string } = {}) {
  const { conversationId = 'c1' } = options
  const host = createRunHost()
  const past = host.createRun('past', 'c1')
  past.speak('Said long ago.')
  past.end()
  const app = createEndpointApp(host, options)
  const { agent, api, wrapper, store } = app

  function Chat() {
    const { data } = api.useConversationQuery(conversationId, { skip: options.hasHistory === false })
    const chat = agent.useXChat({ provider: 'host', conversationKey: conversationId, history: data?.messages })
    return (
      <ul>
        {chat.messages.map(({ id, message, status }) => (
          <li key={id} data-id={id} data-status={status}>
            {String(message.content)}
          </li>
        ))}
      </ul>
    )
  }

  async function startRun(text: string, id = 'own') {
    await act(async () => {
      const options = { sessionId: conversationId, provider: 'host', input: { message: text }, runId: id }
      store.dispatch(agent.actions.startRun(options))
      await settle()
    })
    return host.startedRun(id)
  }

  return { ...app, host, Chat, startRun, show: () => render(<Chat />, { wrapper }), readings: () => readingsOf(host) }
}

const readingsOf = (host: ReturnType<typeof createRunHost>) => host.requestsOf('/conversations/c1').length
const rows = () => screen.queryAllByRole('listitem')
const texts = () => rows().map((row) => row.textContent)
const heldRuns = ({ state }: App) => Object.keys(state('c1').runs)

describe('a run that ends live', () => {
  it('moves from the active turn into the read model, in its place, with the same ids and the same nodes', async () => {
    const chat = createChat()
    chat.show()
    await calm()
    expect(texts()).toEqual(['Hello?', 'Said long ago.'])
    const run = await chat.startRun('Hello')
    run.speak('Now it answers.')
    await calm()
    expect(texts()).toEqual(['Hello?', 'Said long ago.', 'Hello?', 'Now it answers.'])
    const nodes = rows()
    const seen = new Set<string>()
    const watch = new MutationObserver(() => seen.add(texts().join('|')))
    watch.observe(document.body, { childList: true, subtree: true, characterData: true })
    expect(chat.readings()).toBe(1)
    run.end()
    await calm(40)
    expect(chat.readings()).toBe(2)
    expect(heldRuns(chat)).toEqual([])
    expect(rows()).toEqual(nodes)
    expect(rows().every((row, index) => row === nodes[index])).toBe(true)
    // No row came, went or changed its text on the way.
    expect([...seen]).toEqual([])
    expect(rows().map((row) => row.dataset.status)).toEqual(['local', 'success', 'local', 'success'])
  })

  it('stays where the read model cannot be read, in its place, until that can be', async () => {
    const chat = createChat()
    chat.show()
    await calm()
    const run = await chat.startRun('Hello')
    run.speak('Now it answers.')
    await calm()
    // Of the reading alone: the wire stays up.
    const { fetch } = chat.host
    expect(fetch).toBeDefined()
    chat.host.setReachable(false)
    run.end()
    await calm()
    expect(heldRuns(chat)).toEqual(['own'])
    expect(texts()).toEqual(['Hello?', 'Said long ago.', 'Hello?', 'Now it answers.'])
    chat.host.setReachable(true)
    await act(async () => {
      await chat.store.dispatch(chat.api.endpoints.conversation.initiate('c1', { forceRefetch: true }))
      await settle()
    })
    expect(heldRuns(chat)).toEqual([])
    expect(texts()).toEqual(['Hello?', 'Said long ago.', 'Hello?', 'Now it answers.'])
  })

  it('stays until the read model has caught up, which is asked again meanwhile', async () => {
    const chat = createChat()
    chat.show()
    await calm()
    const run = await chat.startRun('Hello')
    run.speak('Now it answers.')
    chat.host.setLag(2)
    run.end()
    await calm()
    expect(heldRuns(chat)).toEqual(['own'])
    await act(async () => chat.fireTimers(1000))
    await calm()
    expect(heldRuns(chat)).toEqual(['own'])
    await act(async () => chat.fireTimers(2000))
    await calm()
    expect(heldRuns(chat)).toEqual([])
    expect(texts()).toEqual(['Hello?', 'Said long ago.', 'Hello?', 'Now it answers.'])
  })

  it('is let go of also where its conversation was not known to the server at first', async () => {
    const chat = createChat({ conversationId: 'new' })
    chat.show()
    await calm()
    expect(texts()).toEqual([])
    const run = await chat.startRun('Hello')
    run.speak('Now it answers.')
    await calm()
    const nodes = rows()
    run.end()
    await calm()
    await act(async () => chat.fireTimers(1000))
    await calm()
    expect(chat.state('new').runs).toEqual({})
    expect(texts()).toEqual(['Hello?', 'Now it answers.'])
    expect(rows()).toEqual(nodes)
  })

  it('stays without a read model', async () => {
    const chat = createChat({ hasHistory: false })
    chat.show()
    const run = await chat.startRun('Hello')
    run.speak('Now it answers.')
    run.end()
    await calm()
    expect(heldRuns(chat)).toEqual(['own'])
    expect(chat.readings()).toBe(0)
  })

  it('stays where the app turned that off', async () => {
    const chat = createChat({ reconcile: false })
    chat.show()
    await calm()
    const run = await chat.startRun('Hello')
    run.speak('Now it answers.')
    run.end()
    await calm()
    expect(heldRuns(chat)).toEqual(['own'])
    expect(chat.readings()).toBe(1)
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('not yet'))],
    [
      'throws',
      () => {
        throw new Error('not yet')
      },
    ],
  ])('waits for what the app wants to have ready first, and stays where that %s', async (_, refuse) => {
    const asked: unknown[] = []
    let prepare: () => Promise<unknown> = refuse
    const chat = createChat({
      beforeRelease(run) {
        asked.push(run)
        return prepare()
      },
    })
    chat.show()
    await calm()
    const run = await chat.startRun('Hello')
    run.speak('Now it answers.')
    run.end()
    await calm()
    expect(asked).toContainEqual({ runId: 'own', sessionId: 'c1' })
    expect(heldRuns(chat)).toEqual(['own'])
    prepare = () => Promise.resolve()
    await act(async () => {
      await chat.store.dispatch(chat.api.endpoints.conversation.initiate('c1', { forceRefetch: true }))
      await settle()
    })
    expect(heldRuns(chat)).toEqual([])
  })

  it('is the newest of as many as are kept where no read model stands behind', async () => {
    const chat = createChat({ hasHistory: false, maxSettledRuns: 2 })
    chat.show()
    for (const id of ['a', 'b', 'c']) {
      const run = await chat.startRun('Hello', id)
      run.speak(`Answer ${id}`)
      run.end()
      await calm()
    }
    expect(heldRuns(chat)).toEqual(['b', 'c'])
    expect(texts()).toEqual(['Hello?', 'Answer b', 'Hello?', 'Answer c'])
  })
})

describe('what is no live end', () => {
  it('reads nothing anew: a replay of a run that was over', async () => {
    const chat = createChat()
    chat.show()
    await calm()
    const before = chat.readings()
    await act(async () => {
      chat.store.dispatch(chat.api.endpoints.followRun.initiate('past'))
      await settle()
    })
    expect(chat.readings()).toBe(before)
    expect(texts()).toEqual(['Hello?', 'Said long ago.'])
  })
})

describe('a past that is shown', () => {
  it('reads nothing anew and lets go of nothing, however one travels', async () => {
    const host = createRunHost()
    const provider = createRunServerProvider({ id: 'host', baseUrl: 'http://host.test', fetch: host.fetch })
    const agent = createAgentRuntime({ providers: [provider] })
    const api = createApi({
      baseQuery: fetchBaseQuery({ baseUrl: 'http://host.test', fetchFn: host.fetch }),
      endpoints: (build) => agentEndpoints(build),
    })
    const store = configureStore({
      reducer: { agent: agent.reducer, [api.reducerPath]: api.reducer },
      middleware: (getDefault) => getDefault().concat(agent.middleware, api.middleware),
      enhancers: (getDefault) => getDefault().concat(instrument(undefined, { maxAge: Infinity })),
      devTools: false,
    })
    const { liftedStore } = store as unknown as {
      liftedStore: { dispatch(action: unknown): void; getState(): { stagedActionIds: number[] } }
    }
    host.createRun('past', 'c1').end()
    void store.dispatch(api.endpoints.conversation.initiate('c1'))
    store.dispatch(agent.actions.startRun({ sessionId: 'c1', provider: 'host', input: { message: 'Hi' }, runId: 'own' }))
    await settle()
    const run = host.startedRun('own')
    run.speak('It answers.')
    run.end()
    await settle(40)
    const selectRun = () => agent.selectors.selectRun(store.getState(), { runId: 'own' })
    expect(selectRun()).toBeUndefined()
    const sent = host.requests.length

    const { stagedActionIds } = liftedStore.getState()
    for (let index = 0; index < stagedActionIds.length; index += 1) {
      liftedStore.dispatch(ActionCreators.jumpToState(index))
      await settle(2)
    }
    liftedStore.dispatch(ActionCreators.jumpToState(stagedActionIds.length - 1))
    await settle()
    expect(host.requests).toHaveLength(sent)
    expect(selectRun()).toBeUndefined()
    // The events come again, as DevTools replay them: what was let go of does not end once more.
    const released = stagedActionIds.at(-1)!
    liftedStore.dispatch(ActionCreators.toggleAction(released))
    liftedStore.dispatch(ActionCreators.toggleAction(released))
    await settle()
    expect(host.requests).toHaveLength(sent)
  })
})

describe('a session that comes back from storage', () => {
  it('reads nothing anew for the runs that ended before, and lets go of what the read model holds', async () => {
    const host = createRunHost()
    const past = host.createRun('past', 'c1')
    past.speak('Said long ago.')
    past.end()
    const storage = createMemoryAgentCheckpointStorage()
    const createPage = (endpoints: boolean) => {
      const provider = createRunServerProvider({ id: 'host', baseUrl: 'http://host.test', fetch: host.fetch })
      const agent = createAgentRuntime({ providers: [provider], checkpointStorage: storage })
      const api = createApi({
        baseQuery: fetchBaseQuery({ baseUrl: 'http://host.test', fetchFn: host.fetch }),
        endpoints: (build) => agentEndpoints(build, { reconcile: endpoints }),
      })
      const store = configureStore({
        reducer: { agent: agent.reducer, [api.reducerPath]: api.reducer },
        middleware: (getDefault) => getDefault().concat(agent.middleware, api.middleware),
        devTools: false,
      })
      return { agent, api, store, runIds: () => Object.keys(agent.selectors.selectAgentState(store.getState(), 'c1').runs) }
    }
    const before = createPage(false)
    await before.store.dispatch(before.agent.actions.openSession({ sessionId: 'c1' }))
    before.store.dispatch(
      before.agent.actions.startRun({ sessionId: 'c1', provider: 'host', input: { message: 'Hi' }, runId: 'own' }),
    )
    await settle()
    host.startedRun('own').speak('It answers.')
    host.startedRun('own').end()
    await settle(40)
    expect(before.runIds()).toEqual(['own'])

    const after = createPage(true)
    void after.store.dispatch(after.api.endpoints.conversation.initiate('c1'))
    await after.store.dispatch(after.agent.actions.openSession({ sessionId: 'c1' }))
    await settle(40)
    expect(readingsOf(host)).toBe(1)
    expect(after.runIds()).toEqual([])
  })
})

describe('a timeline with history', () => {
  it('keeps the rows of a run that is let go of', async () => {
    const chat = createChat()
    const { agent, api, wrapper } = chat
    function Timeline() {
      const { data } = api.useConversationQuery('c1')
      const history = useMemo(() => toTimelineItems(data?.messages ?? []), [data?.messages])
      return <AgentTimeline agent={agent} sessionId="c1" history={history} />
    }
    render(
      <StrictMode>
        <Timeline />
      </StrictMode>,
      { wrapper },
    )
    await calm()
    const run = await chat.startRun('Hello')
    run.speak('Now it answers.')
    await calm()
    const nodes = rows()
    expect(nodes).toHaveLength(4)
    run.end()
    await calm(40)
    expect(heldRuns(chat)).toEqual([])
    expect(rows().every((row, index) => row === nodes[index])).toBe(true)
    expect(texts().map((text) => text!.replace(/^(You|Assistant|User)/, ''))).toHaveLength(4)
  })
})
