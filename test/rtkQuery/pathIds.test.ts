import { encodePathSegment } from 'redux-agent'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { describe, expect, it } from 'vitest'
import { createEndpointApp } from './support/createEndpointApp.tsx'
import { createRunHost } from './support/createRunHost.ts'

const unsafe = ['', '.', '..', '\ud800']
const odd = ['../conversations', 'a/b?c#d', '%2e%2e', '...', '__proto__', 'constructor', '会话 1', '\\..']

describe('an id in the path of a request', () => {
  it.each(unsafe)('is refused where a URL would ask for something else: %j', async (id) => {
    const host = createRunHost()
    const { api, store } = createEndpointApp(host)
    const { conversation, conversationHistory, run, runEvents, followRun } = api.endpoints
    const results = await Promise.all([
      store.dispatch(conversation.initiate(id)),
      store.dispatch(conversationHistory.initiate({ conversationId: id, before: '1' })),
      store.dispatch(run.initiate(id)),
      store.dispatch(runEvents.initiate({ runId: id })),
      store.dispatch(followRun.initiate(id)),
    ])
    for (const { error } of results) {
      expect(error).toMatchObject({ status: 'CUSTOM_ERROR', data: { code: 'request_failed', retryable: false } })
      expect((error as { error: string }).error).toMatch(/cannot stand in the path of a URL: nothing was sent/)
    }
    expect(host.requests).toEqual([])
  })

  it.each(unsafe)('is refused by the run server’s provider, which follows by it: %j', async (runId) => {
    const host = createRunHost()
    const provider = createRunServerProvider({ baseUrl: 'http://host.test', fetch: host.fetch })
    const reading = (async () => {
      for await (const _ of provider.transport.follow!({ sessionId: 'c1', runId, after: 0 }, new AbortController().signal)) return
    })()
    await expect(reading).rejects.toMatchObject({ code: 'request_failed', retryable: false })
    expect(host.requests).toEqual([])
  })

  it.each(unsafe)('is refused by what an app writes its own paths with: %j', (id) => {
    expect(() => encodePathSegment(id)).toThrow(expect.objectContaining({ code: 'request_failed' }))
  })

  it.each(odd)('written so is one segment: %j', (id) => {
    const { pathname } = new URL(`/runs/${encodePathSegment(id)}/events`, 'http://host.test')
    expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'runs', id, 'events'])
  })

  it.each(odd)('is one segment, whatever stands in it: %j', async (id) => {
    const host = createRunHost()
    const run = host.createRun(id, id)
    run.speak('Hello.')
    run.end()
    const { api, store } = createEndpointApp(host)
    const { data } = await store.dispatch(api.endpoints.run.initiate(id))
    expect(data!.runId).toBe(id)
    const talk = await store.dispatch(api.endpoints.conversation.initiate(id))
    expect(talk.data!.messages.map(({ content }) => content)).toEqual(['Hello?', 'Hello.'])
  })

  it('is one error of the endpoint’s too where the app’s own request cannot be made', async () => {
    const host = createRunHost()
    const { api, store } = createEndpointApp(host, {
      requests: {
        run() {
          throw new Error('secret')
        },
      },
    })
    const { error } = await store.dispatch(api.endpoints.run.initiate('r1'))
    expect(error).toMatchObject({ status: 'CUSTOM_ERROR', data: { code: 'provider_error' } })
    expect(JSON.stringify(error)).not.toContain('secret')
  })
})
