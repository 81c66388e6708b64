import { configureStore } from '@reduxjs/toolkit'
import { createApi, fetchBaseQuery, retry, type FetchBaseQueryError } from '@reduxjs/toolkit/query/react'
import { configure, render, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { Provider } from 'react-redux'
import { createAgentRuntime } from 'redux-agent'
import { agentEndpoints } from 'redux-agent/rtk-query'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startMsw } from '../support/startMsw.ts'

const server = startMsw()
// A second, which is what it gives by itself, may pass on a busy machine.
beforeAll(() => configure({ asyncUtilTimeout: 60_000 }))
afterEach(() => document.body.replaceChildren())

const host = 'http://host.test/api/agent'
const run = { runId: 'r1', conversationId: 'c1', status: 'completed', lastSeq: 4, createdAt: 1, updatedAt: 2 }
const talk = { id: 'c1', title: 'Travel', createdAt: 1, updatedAt: 2 }

function createPage() {
  const agent = createAgentRuntime()
  const baseQuery = retry(fetchBaseQuery({ baseUrl: 'http://host.test' }), { maxRetries: 0 })
  const api = createApi({
    baseQuery,
    endpoints: (build) => agentEndpoints(build),
  })
  const store = configureStore({
    reducer: { agent: agent.reducer, [api.reducerPath]: api.reducer },
    middleware: (getDefault) => getDefault().concat(api.middleware, agent.middleware),
    devTools: false,
  })
  function Talks() {
    const { data, isLoading, error } = api.useConversationsInfiniteQuery()
    if (isLoading) return <p>Loading</p>
    // RTK Query's hooks of infinite queries leave the base query's own error out of their types.
    if (error) return <p>Failed: {(error as FetchBaseQueryError).status}</p>
    const talks = data!.pages.flatMap((page) => page.conversations)
    return talks.length === 0 ? <p>Nothing yet</p> : <p>{talks.map(({ title }) => title).join()}</p>
  }
  function Talk() {
    const { data, isLoading, error } = api.useConversationQuery('c1')
    const { data: log } = api.useRunEventsInfiniteQuery({ runId: 'r1' })
    if (isLoading) return <p>Loading</p>
    if (error) return <p>Failed: {'status' in error ? error.status : error.code}</p>
    return (
      <p>
        {data!.title}: {data!.messages.map(({ content }) => String(content)).join() || 'Nothing yet'}, {log?.pages.length}{' '}
        {data!.runs[0]?.status}
      </p>
    )
  }
  return {
    show: (page: 'list' | 'talk') => render(<Provider store={store}>{page === 'list' ? <Talks /> : <Talk />}</Provider>),
  }
}

describe('over the network', () => {
  it('a list loads, then shows what there is', async () => {
    server.use(http.get(`${host}/conversations`, () => HttpResponse.json({ conversations: [talk], nextCursor: null })))
    createPage().show('list')
    expect(screen.getByText('Loading')).toBeDefined()
    expect(await screen.findByText('Travel')).toBeDefined()
  })

  it('a list may be empty', async () => {
    server.use(http.get(`${host}/conversations`, () => HttpResponse.json({ conversations: [] })))
    createPage().show('list')
    expect(await screen.findByText('Nothing yet')).toBeDefined()
  })

  it.each([
    ['401', () => HttpResponse.json({ code: 'unauthorized' }, { status: 401 })],
    ['500', () => new HttpResponse('<html>', { status: 500, headers: { 'content-type': 'application/json' } })],
    ['FETCH_ERROR', () => HttpResponse.error()],
    ['PARSING_ERROR', () => new HttpResponse('<html>', { headers: { 'content-type': 'application/json' } })],
    ['CUSTOM_ERROR', () => HttpResponse.json({ conversations: 'none' })],
  ])('a list says what went wrong: %s', async (status, answer) => {
    server.use(http.get(`${host}/conversations`, answer))
    createPage().show('list')
    // A body that is no JSON is what fetchBaseQuery calls a parsing error, whatever its status.
    expect(await screen.findByText(`Failed: ${status === '500' ? 'PARSING_ERROR' : status}`)).toBeDefined()
  })

  it('a conversation and a log are read, with what the server says besides', async () => {
    const message = { id: 'm1', runId: 'r1', role: 'assistant', content: 'Yes.', status: 'completed', createdAt: 1, more: 1 }
    server.use(
      http.get(`${host}/conversations/c1`, () =>
        HttpResponse.json({ ...talk, messages: [message], runs: [{ ...run, model: 'm' }], nextCursor: null }),
      ),
      http.get(`${host}/runs/r1/events`, () => HttpResponse.json({ events: [], lastSeq: 4, status: 'completed' })),
    )
    createPage().show('talk')
    expect(await screen.findByText('Travel: Yes., 1 completed')).toBeDefined()
  })
})
