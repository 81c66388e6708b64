import type { SerializedError } from '@reduxjs/toolkit'
import { createApi, fetchBaseQuery, type BaseQueryFn, type FetchBaseQueryError } from '@reduxjs/toolkit/query/react'
import { createAsyncIterableTransport, type AgentEvent, type AgentHistoryMessage, type AgentProvider } from 'redux-agent'
import {
  agentEndpoints,
  providerEndpoint,
  type AgentConversation,
  type AgentFollowedRun,
  type AgentRecordedRun,
} from 'redux-agent/rtk-query'
import { describe, expectTypeOf, it } from 'vitest'

interface Question {
  text: string
}

declare const provider: AgentProvider<Question, string, string, { own: true }>

const chatApi = createApi({
  reducerPath: 'chatApi',
  baseQuery: fetchBaseQuery({ baseUrl: '/' }),
  tagTypes: ['Talk', 'Run'],
  endpoints: (build) => ({
    ...agentEndpoints(build, {
      tags: { conversation: 'Talk', run: 'Run' },
      requests: { run: ({ runId }) => ({ url: `jobs/${runId}`, params: { full: true } }) },
      responses: { run: (body) => body },
    }),
    ask: providerEndpoint(build, provider),
    own: build.query<number, string>({ query: (id) => `own/${id}`, providesTags: ['Talk'] }),
  }),
})

describe('the endpoints', () => {
  it('have hooks with the types of what they read', () => {
    const conversation = () => chatApi.useConversationQuery('c1')
    expectTypeOf<ReturnType<typeof conversation>['data']>().toEqualTypeOf<AgentConversation | undefined>()
    expectTypeOf<ReturnType<typeof conversation>['error']>().toEqualTypeOf<
      FetchBaseQueryError | SerializedError | undefined
    >()
    const run = () => chatApi.useRunQuery('r1')
    expectTypeOf<ReturnType<typeof run>['data']>().toEqualTypeOf<AgentRecordedRun | undefined>()
    const followed = () => chatApi.useFollowRunQuery('r1')
    expectTypeOf<ReturnType<typeof followed>['data']>().toEqualTypeOf<AgentFollowedRun | undefined>()
    const events = () => chatApi.useRunEventsInfiniteQuery({ runId: 'r1' }).data!.pages[0]!.events
    expectTypeOf(events).returns.toEqualTypeOf<readonly AgentEvent[]>()
    const history = () =>
      chatApi.useConversationHistoryInfiniteQuery({ conversationId: 'c1', before: '4' }).data!.pages[0]!.messages
    expectTypeOf(history).returns.toEqualTypeOf<readonly AgentHistoryMessage[]>()
    const list = () => chatApi.useConversationsInfiniteQuery().data!.pages[0]!.conversations[0]!.title
    expectTypeOf(list).returns.toEqualTypeOf<string>()
    // RTK Query leaves the base query's error out of what its infinite queries say, of an app's own ones as well: its
    // type asks for a QueryDefinition, which no infinite query can be. `'status' in error` finds it all the same.
    const conversations = () => chatApi.useConversationsInfiniteQuery().error
    expectTypeOf(conversations).returns.toEqualTypeOf<SerializedError | undefined>()
    const status = (error: ReturnType<typeof conversations>) => (error && 'status' in error ? error.status : undefined)
    expectTypeOf(status).returns.toBeUnknown()
    expectTypeOf(chatApi.useOwnQuery).toBeFunction()
  })

  it('take what they are given, and nothing else', () => {
    const { initiate: startRun } = chatApi.endpoints.startRun
    startRun({ sessionId: 'c1', input: { message: 'Hello' } })
    // @ts-expect-error a run has a session
    startRun({ input: { message: 'Hello' } })
    const { initiate: sendCommand } = chatApi.endpoints.sendCommand
    sendCommand({ type: 'tool.retry', runId: 'r1', payload: { toolCallId: 't1' } })
    // @ts-expect-error the payload is another command's
    sendCommand({ type: 'tool.retry', runId: 'r1', payload: { approvalId: 'a1', decision: 'approved' } })
    // @ts-expect-error a run is named by its id
    chatApi.endpoints.followRun.initiate({ runId: 'r1' })
  })

  it('take the input of their provider', () => {
    chatApi.endpoints.ask.initiate({ sessionId: 'c1', input: { text: 'Hello' } })
    // @ts-expect-error the provider takes a question
    chatApi.endpoints.ask.initiate({ sessionId: 'c1', input: 'Hello' })
    const transport = createAsyncIterableTransport(async function* () {
      yield ''
    })
    expectTypeOf(transport.kind).toBeString()
  })

  it('take the app’s tags alone', () => {
    createApi({
      baseQuery: fetchBaseQuery(),
      tagTypes: ['Talk'],
      // @ts-expect-error the api has no such tag
      endpoints: (build) => agentEndpoints(build, { tags: { run: 'Nothing' } }),
    })
  })

  it('speak the errors and the requests of any base query', () => {
    const baseQuery: BaseQueryFn<{ route: string }, unknown, { reason: string }> = () => ({ data: undefined })
    const api = createApi({
      baseQuery,
      endpoints: (build) =>
        agentEndpoints(build, {
          requests: { run: ({ runId }) => ({ route: runId }) },
          toError: ({ error, data }) => ({ reason: `${data.code}: ${error}` }),
        }),
    })
    const run = () => api.useRunQuery('r1').error
    expectTypeOf(run).returns.toEqualTypeOf<{ reason: string } | SerializedError | undefined>()
    createApi({
      baseQuery,
      // @ts-expect-error the base query takes no url
      endpoints: (build) => agentEndpoints(build, { requests: { run: () => ({ url: '' }) } }),
    })
  })

  it('are injected into an api that is there', () => {
    const injected = chatApi.injectEndpoints({
      endpoints: (build) => ({ more: providerEndpoint(build, provider) }),
    })
    const more = () => injected.useMoreQuery({ sessionId: 'c1', input: { text: '' } }).data
    expectTypeOf(more).returns.toEqualTypeOf<AgentFollowedRun | undefined>()
  })
})
