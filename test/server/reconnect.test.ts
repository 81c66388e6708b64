import { configureStore } from '@reduxjs/toolkit'
import { createAgentRuntime, replayAgentEvents, type AgentEvent } from 'redux-agent'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { createFaultyFetch, type FetchFaults } from 'redux-agent/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { createManualTimers } from './support/createManualTimers.ts'
import { call, createScriptedModel, finish, say } from './support/createScriptedModel.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** A store whose runs are the run server's; streams break as planned, by the number of the request. */
function createClient({ url, createBrowser }: TestServer, plan: (index: number) => FetchFaults = () => ({})) {
  const browser = createBrowser()
  const send = (input: RequestInfo | URL, init?: RequestInit) => browser.send(String(input).slice(url.length), init)
  const sendBroken = createFaultyFetch(send, plan)
  const streams: unknown[] = []
  const provider = createRunServerProvider({
    baseUrl: url,
    async fetch(input, init) {
      if (!String(input).endsWith('/stream')) return send(input as string, init)
      streams.push(JSON.parse(init?.body as string))
      return sendBroken(input, init)
    },
  })
  const agent = createAgentRuntime({
    providers: [provider],
    // The waits between attempts are for other tests.
    environment: { random: () => 0, requestFrame: undefined },
  })
  const store = configureStore({
    reducer: { agent: agent.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware),
  })
  const { selectors, actions } = agent
  const start = (message: string) =>
    store.dispatch(actions.startRun({ sessionId: 'c1', provider: 'run-server', input: { message } }))
  const connection = (runId: string) => selectors.selectRunConnection(store.getState(), runId)
  const state = () => selectors.selectAgentState(store.getState(), 'c1')
  return {
    start,
    streams,
    connection,
    state,
    /** Settles once the store shows what is waited for. */
    when: (isSo: () => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => isSo() && (unsubscribe(), resolve())
        const unsubscribe = store.subscribe(check)
        check()
      }),
    approve: (runId: string) => {
      const { id: approvalId } = Object.values(state().approvals).find(({ status }) => status === 'waiting')!
      return store.dispatch(actions.resolveApproval({ runId, approvalId, decision: 'approved' }))
    },
    /** The server's own log, replayed. */
    async replayed(runId: string) {
      const { body } = await browser.request<{ events: { event: AgentEvent }[] }>(
        'GET',
        `/api/agent/runs/${runId}/events?limit=1000`,
      )
      return replayAgentEvents(body.events.map(({ event }) => event))
    },
  }
}

const askToWrite = [call('document_write', { title: 'Notes', content: 'One.' }), ...finish('tool_calls')]
const conclude = [say('Done. '), say('All of it.'), ...finish('stop')]

describe('a store at the run server', () => {
  it('comes to the server’s own log through a wire that breaks again and again', async () => {
    const words = Array.from({ length: 40 }, (_, index) => say(`word ${index} `))
    server = await startTestServer({ model: createScriptedModel([[...words, ...finish('stop')]]) })
    const client = createClient(server, (index) => (index < 8 ? { cutAfterBytes: 1500 + index * 7 } : {}))
    const task = client.start('Go')
    await task.unwrap()
    expect(client.state()).toEqual(await client.replayed(task.runId))
    expect(client.connection(task.runId)).toMatchObject({ state: 'idle' })
    expect(client.streams.length).toBeGreaterThan(2)
    for (const body of client.streams.slice(1)) expect(body).toMatchObject({ resume: { runId: task.runId } })
  })

  it('brings the rest of a run whose stream had parked when the approval was answered', async () => {
    const timers = createManualTimers()
    server = await startTestServer({ ...timers, model: createScriptedModel([askToWrite, conclude]) })
    const client = createClient(server)
    const task = client.start('Write my notes')
    await client.when(() => Object.values(client.state().approvals).some(({ status }) => status === 'waiting'))
    await timers.whenSet(300_000)
    timers.advance(300_000)
    await task.unwrap()
    expect(client.connection(task.runId)).toMatchObject({ state: 'idle', detached: false })
    expect(client.streams).toHaveLength(1)
    await client.approve(task.runId).unwrap()
    await client.when(() => client.state().runs[task.runId]?.status === 'completed')
    await client.when(() => client.connection(task.runId)?.state === 'idle')
    expect(client.state()).toEqual(await client.replayed(task.runId))
    expect(client.streams).toHaveLength(2)
    expect(client.streams[1]).toMatchObject({ resume: { runId: task.runId } })
  })

  it('goes on after the server was gone for a while', async () => {
    server = await startTestServer({ model: createScriptedModel([askToWrite, conclude]) })
    const client = createClient(server, (index) => (index === 0 ? { cutAfterBytes: 40 } : {}))
    const task = client.start('Write my notes')
    await client.when(() => Object.values(client.state().approvals).some(({ status }) => status === 'waiting'))
    expect(client.streams).toHaveLength(2)
    // Before the first event the same request goes again: the server attaches.
    expect((client.streams[1] as { runId: string }).runId).toBe(task.runId)
    await client.approve(task.runId).unwrap()
    await task.unwrap()
    expect(client.state()).toEqual(await client.replayed(task.runId))
  })
})
