import { describe, expect, it } from 'vitest'
import { replayAgentEvents } from 'redux-agent'
import { createEndpointApp } from './support/createEndpointApp.tsx'
import { createRunHost } from './support/createRunHost.ts'

describe('the endpoints that read', () => {
  it('list conversations by page, by the app’s own base query', async () => {
    const host = createRunHost()
    for (const id of ['c1', 'c2', 'c3']) host.createRun(`of-${id}`, id)
    const { api, store } = createEndpointApp(host, { pageSize: { conversations: 2 } })
    const { data } = await store.dispatch(api.endpoints.conversations.initiate(undefined))
    expect(data!.pages[0]!.conversations.map(({ id }) => id)).toEqual(['c1', 'c2'])
    const more = await store.dispatch(api.endpoints.conversations.initiate(undefined, { direction: 'forward' }))
    expect(more.data!.pages.flatMap((page) => page.conversations).map(({ id }) => id)).toEqual(['c1', 'c2', 'c3'])
    expect(more.hasNextPage).toBe(false)
    expect(host.requests.every(({ headers }) => headers.get('x-app') === 'mine')).toBe(true)
  })

  it('give the newest messages of a conversation first, and page backwards from there', async () => {
    const host = createRunHost()
    for (const id of ['r1', 'r2', 'r3']) {
      const run = host.createRun(id, 'c1')
      run.speak(`Answer of ${id}`)
      run.end()
    }
    const { api, store } = createEndpointApp(host, { pageSize: { messages: 2 } })
    const { data } = await store.dispatch(api.endpoints.conversation.initiate('c1'))
    expect(data!.messages.map(({ runId, content }) => [runId, content])).toEqual([
      ['r3', 'Hello?'],
      ['r3', 'Answer of r3'],
    ])
    const history = api.endpoints.conversationHistory
    const arg = { conversationId: 'c1', before: data!.nextCursor! }
    const first = await store.dispatch(history.initiate(arg))
    expect(first.data!.pages.map((page) => page.messages[0]!.runId)).toEqual(['r2'])
    const second = await store.dispatch(history.initiate(arg, { direction: 'forward' }))
    expect(second.data!.pages.map((page) => page.messages[0]!.runId)).toEqual(['r2', 'r1'])
    expect(second.hasNextPage).toBe(false)
  })

  it('keep what was read before a page that is read anew, and the objects of what did not change', async () => {
    const host = createRunHost()
    const say = (id: string) => {
      const run = host.createRun(id, 'c1')
      run.speak(`Answer of ${id}`)
      run.end()
    }
    say('r1')
    const { api, store } = createEndpointApp(host, { pageSize: { messages: 4 } })
    const read = () => store.dispatch(api.endpoints.conversation.initiate('c1', { forceRefetch: true }))
    const before = (await read()).data!
    say('r2')
    say('r3')
    const after = (await read()).data!
    expect(after.messages.map(({ runId }) => runId)).toEqual(['r2', 'r2', 'r3', 'r3'])
    say('r4')
    const last = (await read()).data!
    expect(last.messages.map(({ runId }) => runId)).toEqual(['r2', 'r2', 'r3', 'r3', 'r4', 'r4'])
    expect(last.messages[2]).toBe(after.messages[2])
    expect(last.nextCursor).toBe(after.nextCursor)
    expect(before.messages).toHaveLength(2)
  })

  it('page through a run’s log, which folds to what a replay gives', async () => {
    const host = createRunHost()
    const run = host.createRun('r1', 'c1')
    run.speak('One two three four five six')
    run.end()
    const { api, store } = createEndpointApp(host, { pageSize: { events: 4 } })
    let result = await store.dispatch(api.endpoints.runEvents.initiate({ runId: 'r1' }))
    while (result.hasNextPage) {
      result = await store.dispatch(api.endpoints.runEvents.initiate({ runId: 'r1' }, { direction: 'forward' }))
    }
    const events = result.data!.pages.flatMap((page) => page.events)
    expect(events).toEqual(host.logOf('r1'))
    expect(replayAgentEvents(events).issues).toEqual([])
    const late = await store.dispatch(api.endpoints.runEvents.initiate({ runId: 'r1', after: 9 }))
    expect(late.data!.pages[0]!.events[0]!.sequence).toBe(10)
  })

  it('say what the server refused in RTK Query’s own shape', async () => {
    const { api, store } = createEndpointApp(createRunHost())
    const { error } = await store.dispatch(api.endpoints.run.initiate('none'))
    expect(error).toEqual({ status: 404, data: { code: 'run_not_found' } })
    const followed = await store.dispatch(api.endpoints.followRun.initiate('none'))
    expect(followed.error).toEqual({ status: 404, data: { code: 'run_not_found' } })
  })

  it('take no answer on trust', async () => {
    const host = createRunHost()
    host.createRun('r1', 'c1')
    const answers: unknown[] = [
      {},
      null,
      [],
      { id: 'c1', title: 't', createdAt: 1, updatedAt: 1, messages: [{ id: 'm' }], runs: [] },
      { id: 'c1', title: 't', createdAt: 1, updatedAt: 1, messages: [], runs: [{ runId: 'r1', lastSeq: -1 }] },
      { events: [{ event: { type: 'message.delta' } }], lastSeq: 1, status: 'running' },
    ]
    for (const body of answers) {
      const { api, store } = createEndpointApp({ ...host, fetch: async () => Response.json(body) })
      const failures = await Promise.all([
        store.dispatch(api.endpoints.conversation.initiate('c1')),
        store.dispatch(api.endpoints.run.initiate('r1')),
        store.dispatch(api.endpoints.runEvents.initiate({ runId: 'r1' })),
      ])
      for (const { error } of failures) {
        expect(error).toMatchObject({ status: 'CUSTOM_ERROR', data: { code: 'invalid_response' } })
      }
    }
  })
})
