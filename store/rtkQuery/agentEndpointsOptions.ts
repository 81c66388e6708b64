import type { BaseQueryArg, BaseQueryError, BaseQueryFn, FetchArgs } from '@reduxjs/toolkit/query'
import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { encodePathSegment } from '../../src/transport/encodePathSegment.ts'
import type { AgentEndpointError } from './agentEndpointError.ts'

/** What each reading asks for; a cursor is where a page begins, as the page before it said. */
export interface AgentEndpointArgs {
  conversations: { cursor: string | null; limit: number }
  conversation: { conversationId: string; limit: number }
  conversationHistory: { conversationId: string; before: string; limit: number }
  run: { runId: string }
  runEvents: { runId: string; after: number; limit: number }
}

/** Makes what the app's base query takes, for each reading; the run server's routes are the defaults. */
export type AgentEndpointRequests<Request> = {
  readonly [Name in keyof AgentEndpointArgs]: (args: AgentEndpointArgs[Name]) => Request
}

/** Makes of an answer's body what the run server would have answered; it is validated after that. */
export type AgentEndpointResponses = {
  readonly [Name in keyof AgentEndpointArgs]: (body: unknown, args: AgentEndpointArgs[Name]) => unknown
}

/** How the endpoints are made; everything has a default. */
export interface AgentEndpointsOptions<BaseQuery extends BaseQueryFn, TagTypes extends string> {
  /** Where the agent runtime stands in the store; `agent` by default. */
  reducerPath?: string | undefined
  /** The provider whose server holds the runs, or the id of one that is known; the runtime's first one by default. */
  provider?: AnyAgentProvider | string | undefined
  /** What stands before the run server's paths; `/api/agent` by default. */
  basePath?: string | undefined
  requests?: Partial<AgentEndpointRequests<BaseQueryArg<BaseQuery>>> | undefined
  responses?: Partial<AgentEndpointResponses> | undefined
  /**
   * The tag types of the app that the readings provide, with the conversation's or the run's id, and `LIST`. Without the
   * conversation's, one that could not be read at first, such as a new one, is not read again when a run of it ends.
   */
  tags?: { conversation?: TagTypes | undefined; run?: TagTypes | undefined } | undefined
  /** Makes the app's own error of the library's; for a base query whose errors are not those of `fetchBaseQuery`. */
  toError?: ((error: AgentEndpointError) => BaseQueryError<BaseQuery>) | undefined
  /** How many messages, conversations or events a page holds; 50, and 500 events, by default. */
  pageSize?: { messages?: number; conversations?: number; events?: number } | undefined
  /**
   * Whether a run's state is let go of once the conversation, while it is in the cache, holds the whole run; yes by
   * default. Turn it off where the page does not show the conversation's messages.
   */
  reconcile?: boolean | undefined
  /** Gets ready what shows a run once its state is let go of, such as its log; the run stays where this rejects. */
  beforeRelease?:
    | ((
        run: { runId: string; sessionId: string },
        // What may be dispatched is the app's: its thunks are not known here.
        // eslint-disable-next-line typescript/no-explicit-any
        api: { dispatch: (action: any) => any; getState: () => unknown },
      ) => Promise<unknown> | undefined | void)
    | undefined
}

/** Makes the requests of the run server's routes, as `fetchBaseQuery` takes them. */
export function createDefaultRequests(basePath: string): AgentEndpointRequests<FetchArgs> {
  const path = (...parts: readonly string[]) => [basePath, ...parts.map(encodePathSegment)].join('/')
  return {
    conversations: ({ cursor, limit }) => ({
      url: path('conversations'),
      params: { limit, before: cursor ?? undefined },
    }),
    conversation: ({ conversationId, limit }) => ({ url: path('conversations', conversationId), params: { limit } }),
    conversationHistory: ({ conversationId, before, limit }) => ({
      url: path('conversations', conversationId),
      params: { before, limit },
    }),
    run: ({ runId }) => ({ url: path('runs', runId) }),
    runEvents: ({ runId, after, limit }) => ({ url: path('runs', runId, 'events'), params: { after, limit } }),
  }
}
