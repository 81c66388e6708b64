import type {
  BaseQueryFn,
  EndpointBuilder,
  InfiniteQueryDefinition,
  MutationDefinition,
  QueryDefinition,
} from '@reduxjs/toolkit/query'
import { isTerminal } from '../../src/state/isTerminal.ts'
import type { AgentCommandPayloadMap, AgentCommandType } from '../../src/protocol/agentCommand.ts'
import type { StoreRuntime } from '../runtime/createStoreRuntime.ts'
import type { AgentActionResult } from '../runtime/storeContext.ts'
import type { AgentEndpointsOptions } from './agentEndpointsOptions.ts'
import type {
  AgentConversation,
  AgentConversationsPage,
  AgentFollowedRun,
  AgentHistoryPage,
  AgentRecordedRun,
  AgentRunEventsPage,
} from './agentReadModel.ts'
import { createReader } from './createReader.ts'
import { failWith } from './failWith.ts'
import { describeRun } from './describeRun.ts'
import { findKnownRun } from './findKnownRun.ts'
import { createEndpointRuntime } from './endpointRuntime.ts'
import { findReducerPath } from './findReducerPath.ts'
import { writeConversation } from './writeConversation.ts'
import { openRun } from './openRun.ts'
import type { EndpointAnswer, PlainBaseQuery, PlainBuilder } from './plainBaseQuery.ts'
import { showRun } from './showRun.ts'
import { toEndpointError } from './toEndpointError.ts'
import { toTags } from './toTags.ts'

/** What `startRun` takes. */
export interface AgentStartRunArg {
  sessionId: string
  /** What the provider starts a run with. */
  input: unknown
  /** The id of a provider that the runtime knows; the endpoints' own by default. */
  provider?: string | undefined
  /** The run's id, where the app mints it; a run that is known here is not started again. */
  runId?: string | undefined
}

/** What `sendCommand` takes, by the command's type. */
export type AgentSendCommandArg = {
  [Type in AgentCommandType]: {
    type: Type
    runId: string
    /** With it, a run of another session is refused. */
    sessionId?: string | undefined
    payload: AgentCommandPayloadMap[Type]
  }
}[AgentCommandType]

/** The endpoints of agents, for an api of any base query, tags and path. */
// A type, as RTK Query takes endpoints as a record, which an interface is not.
export type AgentEndpoints<BaseQuery extends BaseQueryFn, TagTypes extends string, ReducerPath extends string> = {
  /** The conversations, the one that changed last first. */
  conversations: InfiniteQueryDefinition<
    void,
    string | null,
    BaseQuery,
    TagTypes,
    AgentConversationsPage,
    ReducerPath
  >
  /** A conversation with its newest messages, by its id. While it is in the cache, runs of it that end are reconciled. */
  conversation: QueryDefinition<string, BaseQuery, TagTypes, AgentConversation, ReducerPath>
  /** What came before a conversation's newest messages, `before` being its `nextCursor`; each page goes further back. */
  conversationHistory: InfiniteQueryDefinition<
    { conversationId: string; before: string },
    string | null,
    BaseQuery,
    TagTypes,
    AgentHistoryPage,
    ReducerPath
  >
  /** A run as its server keeps it, by its id. */
  run: QueryDefinition<string, BaseQuery, TagTypes, AgentRecordedRun, ReducerPath>
  /** A run's event log, after a sequence; all of it by default. */
  runEvents: InfiniteQueryDefinition<
    { runId: string; after?: number },
    number | null,
    BaseQuery,
    TagTypes,
    AgentRunEventsPage,
    ReducerPath
  >
  /**
   * Follows a run, by its id, for as long as somebody subscribes: what it says is in the runtime's state. A run that was
   * started here is not read twice, and goes on without subscribers.
   */
  followRun: QueryDefinition<string, BaseQuery, TagTypes, AgentFollowedRun, ReducerPath>
  /** Starts a run, and is done once its runtime has answered. */
  startRun: MutationDefinition<AgentStartRunArg, BaseQuery, TagTypes, { runId: string; sessionId: string }, ReducerPath>
  /** Sends a command, once an idempotency key, and is done once the runtime's word of it is there. */
  sendCommand: MutationDefinition<AgentSendCommandArg, BaseQuery, TagTypes, AgentActionResult, ReducerPath>
}

/**
 * Makes the endpoints of agents for `createApi` and `injectEndpoints`: the app's base query, path, tags and cache times
 * stay its own. Answers are validated; a failure is what the base query says, or `{ status: 'CUSTOM_ERROR', error,
 * data: { code } }`. RTK Query types the `error` of its infinite queries as `SerializedError` alone; `'status' in error`
 * tells the others there. What streams goes through the runtime of the store, by its provider (design, section 9).
 *
 * @example
 * const chatApi = createApi({
 *   reducerPath: 'chatApi',
 *   baseQuery: fetchBaseQuery({ baseUrl: '/' }),
 *   endpoints: (build) => agentEndpoints(build),
 * })
 * @experimental
 */
export function agentEndpoints<BaseQuery extends BaseQueryFn, TagTypes extends string, ReducerPath extends string>(
  build: EndpointBuilder<BaseQuery, TagTypes, ReducerPath>,
  options: AgentEndpointsOptions<BaseQuery, NoInfer<TagTypes>> = {},
): AgentEndpoints<BaseQuery, TagTypes, ReducerPath> {
  const plain = options as unknown as AgentEndpointsOptions<PlainBaseQuery, string>
  return createEndpoints(build as unknown as PlainBuilder, plain) as unknown as AgentEndpoints<
    BaseQuery,
    TagTypes,
    ReducerPath
  >
}

function createEndpoints(
  build: PlainBuilder,
  options: AgentEndpointsOptions<PlainBaseQuery, string>,
): AgentEndpoints<PlainBaseQuery, string, string> {
  const { pageSize = {}, tags = {}, reconcile = true } = options
  const { messages = 50, conversations = 50, events = 500 } = pageSize
  const read = createReader(options)
  const runtimes = createEndpointRuntime(options)
  /** How each conversation of a store is read anew, by the request that its entry was made with. */
  const readers = new WeakMap<StoreRuntime, Map<string, () => Promise<EndpointAnswer<AgentConversation>>>>()

  const listTags = (type: string | undefined) => toTags(type, 'LIST')

  async function attempt<Data>(work: () => Promise<Data>): Promise<EndpointAnswer<Data>> {
    try {
      return { data: await work() }
    } catch (thrown) {
      return { error: failWith(options, toEndpointError(thrown)) }
    }
  }

  function noteHeld(runtime: StoreRuntime | undefined, sessionId: string, page: AgentHistoryPage): void {
    // A page may begin in the midst of a run.
    const partial = page.nextCursor === null ? undefined : page.messages[0]?.runId
    const whole = page.runs.filter(({ runId }) => runId !== partial)
    const runs = whole.map(({ runId, lastSeq }) => ({ runId, lastSequence: lastSeq }))
    runtime?.reconciler.hold(sessionId, runs)
  }

  return {
    conversations: build.infiniteQuery<AgentConversationsPage, void, string | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ nextCursor }) => nextCursor },
      queryFn: ({ pageParam }, _api, _extra, baseQuery) =>
        read('conversations', { cursor: pageParam, limit: conversations }, baseQuery),
      providesTags: () => listTags(tags.conversation),
    }),

    conversation: build.query<AgentConversation, string>({
      async queryFn(conversationId, api, _extra, baseQuery) {
        const runtime = reconcile ? runtimes.find(api) : undefined
        const ask = () => read('conversation', { conversationId, limit: messages }, baseQuery)
        if (runtime) {
          const ofStore = readers.get(runtime) ?? new Map()
          readers.set(runtime, ofStore.set(conversationId, ask))
        }
        const answer = await ask()
        if (answer.data) noteHeld(runtime, conversationId, answer.data)
        return answer
      },
      merge: (draft, page) => writeConversation(draft as AgentConversation, page),
      providesTags: (_data, _error, conversationId) => toTags(tags.conversation, conversationId),
      async onCacheEntryAdded(conversationId, entry) {
        const { dispatch, getState, updateCachedData, cacheEntryRemoved } = entry
        const runtime = reconcile ? runtimes.find(entry) : undefined
        if (!runtime) return
        const reducerPath = findReducerPath(entry)
        let isRemoved = false
        // After a reset of the api there may be the entry again, without data, before this one is told.
        const isShown = () => !isRemoved && entry.getCacheEntry().data !== undefined
        const forget = runtime.reconciler.register({
          sessionId: conversationId,
          prepare: (run) => options.beforeRelease?.(run, { dispatch, getState }),
          isShown,
          async refetch() {
            const ask = readers.get(runtime)?.get(conversationId)
            if (!ask || !isShown()) {
              // An error cannot be written over, as that of a conversation that the server did not know yet; and what the
              // app put there itself was never asked for.
              const type = tags.conversation
              if (type === undefined) throw new Error('The conversation has not been read.')
              dispatch({ type: `${reducerPath}/invalidateTags`, payload: toTags(type, conversationId) })
              return
            }
            const { data: page } = await ask()
            if (!page || !isShown()) throw new Error('The conversation could not be read.')
            updateCachedData((draft) => writeConversation(draft as AgentConversation, page))
            noteHeld(runtime, conversationId, page)
          },
        })
        await cacheEntryRemoved
        isRemoved = true
        forget()
        readers.get(runtime)?.delete(conversationId)
      },
    }),

    conversationHistory: build.infiniteQuery<
      AgentHistoryPage,
      { conversationId: string; before: string },
      string | null
    >({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ nextCursor }) => nextCursor },
      async queryFn({ queryArg, pageParam }, api, _extra, baseQuery) {
        const { conversationId } = queryArg
        const args = { conversationId, before: pageParam ?? queryArg.before, limit: messages }
        const answer = await read('conversationHistory', args, baseQuery)
        if (answer.data && reconcile) noteHeld(runtimes.find(api), conversationId, answer.data)
        return answer
      },
      providesTags: (_data, _error, { conversationId }) => toTags(tags.conversation, conversationId),
    }),

    run: build.query<AgentRecordedRun, string>({
      queryFn: (runId, _api, _extra, baseQuery) => read('run', { runId }, baseQuery),
      providesTags: (_data, _error, runId) => toTags(tags.run, runId),
    }),

    runEvents: build.infiniteQuery<AgentRunEventsPage, { runId: string; after?: number }, number | null>({
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam({ events: page, lastSeq }) {
          const last = page.at(-1)?.sequence
          return last === undefined || last >= lastSeq ? undefined : last
        },
      },
      queryFn: ({ queryArg, pageParam }, _api, _extra, baseQuery) =>
        read('runEvents', { runId: queryArg.runId, after: pageParam ?? queryArg.after ?? 0, limit: events }, baseQuery),
      providesTags: (_data, _error, { runId }) => toTags(tags.run, runId),
    }),

    followRun: build.query<AgentFollowedRun, string>({
      async queryFn(runId, api, _extra, baseQuery) {
        let runtime: StoreRuntime
        try {
          runtime = runtimes.require(api)
        } catch (thrown) {
          return { error: failWith(options, toEndpointError(thrown)) }
        }
        // What is asked for again is read again where its wire is down.
        runtime.follower.retry(runId)
        const known = findKnownRun(runtime, runId)
        if (known) return { data: known }
        const { data, error, meta } = await read('run', { runId }, baseQuery)
        if (!data) return { error, meta }
        const { conversationId: sessionId, status } = data
        const base = { runId, sessionId, status, connection: 'idle', lastSequence: -1 } as const
        return { data: describeRun(runtime, base), meta }
      },
      onCacheEntryAdded: (_runId, entry) =>
        showRun(
          entry,
          () => runtimes.require(entry),
          (runtime, { runId, sessionId, status }) => {
            const isOver = status !== 'interrupted' && isTerminal(status)
            return runtime.follower.attach({ runId, sessionId, provider: runtimes.getProvider(runtime), isOver })
          },
        ),
      providesTags: (_data, _error, runId) => toTags(tags.run, runId),
    }),

    startRun: build.mutation<{ runId: string; sessionId: string }, AgentStartRunArg>({
      queryFn: ({ sessionId, input, runId, ...named }, api) =>
        attempt(async () => {
          const runtime = runtimes.require(api)
          const provider = named.provider ?? runtimes.getProvider(runtime)
          return { runId: await openRun(runtime, { sessionId, provider, input, runId }), sessionId }
        }),
      invalidatesTags: (_data, error) => (error ? [] : listTags(tags.conversation)),
    }),

    sendCommand: build.mutation<AgentActionResult, AgentSendCommandArg>({
      queryFn: (command, api) => attempt(async () => runtimes.require(api).commander.submit(command)),
    }),
  }
}
