import { configureStore } from '@reduxjs/toolkit'
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query'
import { createAgentRuntime, replayAgentEvents, type AgentEvent } from 'redux-agent'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { agentEndpoints } from 'redux-agent/rtk-query'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../server/support/startTestServer.ts'

let server: TestServer
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.close())

/** A tab of a person with the endpoints against the real server. */
function createTab(browser: ReturnType<TestServer['createBrowser']>) {
  const send = (input: RequestInfo | URL, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : String(input)
    return browser.send(url.slice(server.url.length), init)
  }
  const provider = createRunServerProvider({ id: 'host', baseUrl: server.url, fetch: send })
  const agent = createAgentRuntime({ providers: [provider] })
  const api = createApi({
    baseQuery: fetchBaseQuery({ baseUrl: server.url, fetchFn: send }),
    tagTypes: ['Talk'],
    keepUnusedDataFor: 0,
    endpoints: (build) => agentEndpoints(build, { tags: { conversation: 'Talk' }, pageSize: { messages: 4, events: 50 } }),
  })
  const store = configureStore({
    reducer: { agent: agent.reducer, [api.reducerPath]: api.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware, api.middleware),
    devTools: false,
  })
  const { dispatch } = store
  const when = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => isSo() && (unsubscribe(), resolve())
      const unsubscribe = store.subscribe(check)
      check()
    })
  const state = () => agent.selectors.selectAgentState(store.getState(), 'c1')
  return {
    ...{ agent, api, store, dispatch, when, state },
    statusOf: (runId: string) => agent.selectors.selectRun(store.getState(), { runId })?.status,
    start: async (message: string) => {
      const started = await dispatch(api.endpoints.startRun.initiate({ sessionId: 'c1', input: { message } }))
      if (!started.data) throw new Error(JSON.stringify(started.error))
      return started.data.runId
    },
    async log(runId: string) {
      let page = await dispatch(api.endpoints.runEvents.initiate({ runId }))
      while (page.hasNextPage) {
        page = await dispatch(api.endpoints.runEvents.initiate({ runId }, { direction: 'forward' }))
      }
      return page.data!.pages.flatMap(({ events }) => events as AgentEvent[])
    },
  }
}

describe('against the real run server', () => {
  it('one tab drives and another watches, through an approval to the end; the read model takes over', async () => {
    const browser = server.createBrowser()
    const driver = createTab(browser)
    const watcher = createTab(browser)
    const runId = await driver.start('Add a section about laptops to the onboarding guide')
    void watcher.dispatch(watcher.api.endpoints.conversation.initiate('c1'))
    const watching = watcher.dispatch(watcher.api.endpoints.followRun.initiate(runId))

    const waiting = (tab: typeof driver) => Object.values(tab.state().approvals).find(({ status }) => status === 'waiting')
    await Promise.all([driver.when(() => waiting(driver) !== undefined), watcher.when(() => waiting(watcher) !== undefined)])
    const { id: approvalId } = waiting(driver)!
    // Who only watches cannot answer.
    const command = { type: 'approval.resolve', runId, payload: { approvalId, decision: 'approved' } } as const
    const refused = await watcher.dispatch(watcher.api.endpoints.sendCommand.initiate(command))
    expect(refused.error).toMatchObject({ data: { code: 'unsupported_capability' } })
    const sent = await driver.dispatch(driver.api.endpoints.sendCommand.initiate(command))
    expect(sent.data).toMatchObject({ commandId: expect.any(String) })

    await driver.when(() => driver.statusOf(runId) === 'completed')
    // The watcher has the conversation in its cache: the run is let go of there, once that holds it.
    await watcher.when(() => watcher.statusOf(runId) === undefined)
    const log = await watcher.log(runId)
    expect(driver.state().messages).toEqual(replayAgentEvents(log).messages)
    const conversation = watcher.api.endpoints.conversation.select('c1')(watcher.store.getState()).data!
    expect(conversation.runs.map((run) => [run.runId, run.status])).toEqual([[runId, 'completed']])
    const told = Object.values(driver.state().messages).map(({ content }) => content)
    expect(conversation.messages.map(({ content }) => content)).toEqual(told.slice(-4))
    watching.unsubscribe()
  })

  it('lists conversations and pages back through their history', async () => {
    const tab = createTab(server.createBrowser())
    for (const message of ['Hello', 'Which documents are there?', 'Hello again']) {
      const runId = await tab.start(message)
      await tab.when(() => tab.statusOf(runId) === 'completed')
    }
    const list = await tab.dispatch(tab.api.endpoints.conversations.initiate(undefined))
    expect(list.data!.pages[0]!.conversations.map(({ id }) => id)).toEqual(['c1'])
    const { data } = await tab.dispatch(tab.api.endpoints.conversation.initiate('c1'))
    const arg = { conversationId: 'c1', before: data!.nextCursor! }
    let page = await tab.dispatch(tab.api.endpoints.conversationHistory.initiate(arg))
    while (page.hasNextPage) {
      page = await tab.dispatch(tab.api.endpoints.conversationHistory.initiate(arg, { direction: 'forward' }))
    }
    const older = [...page.data!.pages].reverse().flatMap(({ messages }) => messages)
    const asked = [...older, ...data!.messages].filter(({ role }) => role === 'user').map(({ content }) => content)
    expect(asked).toEqual(['Hello', 'Which documents are there?', 'Hello again'])
  })

  it('knows no run and no conversation of another person', async () => {
    const mine = createTab(server.createBrowser())
    const runId = await mine.start('Hello')
    await mine.when(() => mine.statusOf(runId) === 'completed')
    const theirs = createTab(server.createBrowser())
    const { endpoints } = theirs.api
    const answers = await Promise.all([
      theirs.dispatch(endpoints.followRun.initiate(runId)),
      theirs.dispatch(endpoints.run.initiate(runId)),
      theirs.dispatch(endpoints.conversation.initiate('c1')),
      theirs.dispatch(endpoints.runEvents.initiate({ runId })),
    ])
    for (const { error } of answers) expect(error).toMatchObject({ status: 404 })
    expect(theirs.state().runs).toEqual({})
  })
})
