import type { BaseQueryError, BaseQueryFn, EndpointBuilder, QueryDefinition } from '@reduxjs/toolkit/query'
import type { AgentProvider, AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { StoreRuntime } from '../runtime/createStoreRuntime.ts'
import type { AgentEndpointError } from './agentEndpointError.ts'
import type { AgentFollowedRun } from './agentReadModel.ts'
import { failWith } from './failWith.ts'
import { findKnownRun } from './findKnownRun.ts'
import { createEndpointRuntime } from './endpointRuntime.ts'
import { createStartedRuns, type StartedRuns } from './createStartedRuns.ts'
import { hasFailedToStart } from './hasFailedToStart.ts'
import { openRun } from './openRun.ts'
import type { EndpointAnswer, PlainBaseQuery, PlainBuilder } from './plainBaseQuery.ts'
import { showRun } from './showRun.ts'
import { toEndpointError } from './toEndpointError.ts'

/** What a provider's endpoint takes: the same argument is the same run; another `runId` is another one. */
export interface AgentProviderEndpointArg<Input> {
  sessionId: string
  input: Input
  /** The run's id, where the app mints it. */
  runId?: string | undefined
}

/** How a provider's endpoint is made. */
export interface AgentProviderEndpointOptions<BaseQuery extends BaseQueryFn> {
  /** Where the agent runtime stands in the store; `agent` by default. */
  reducerPath?: string | undefined
  /** Makes the app's own error of the library's; for a base query whose errors are not those of `fetchBaseQuery`. */
  toError?: ((error: AgentEndpointError) => BaseQueryError<BaseQuery>) | undefined
}

/**
 * Makes any provider a streaming endpoint: the first subscription starts a run, the cache entry says where that stands,
 * and what it says goes into the runtime's state, through the one validator and reducer. The run outlives its
 * subscribers; asked for again by the same argument, it is the same run, for as long as its entry is in the cache or its
 * state in the store (design, section 9).
 *
 * @example
 * endpoints: (build) => ({ ask: providerEndpoint(build, echoProvider) })
 * // const { data } = api.useAskQuery({ sessionId: 'c1', input: 'Hello' })
 * // agent.useAgentTimeline({ sessionId: 'c1', runId: data?.runId })
 * @experimental
 */
export function providerEndpoint<
  Input,
  Request,
  Chunk,
  Context,
  BaseQuery extends BaseQueryFn,
  TagTypes extends string,
  ReducerPath extends string,
>(
  build: EndpointBuilder<BaseQuery, TagTypes, ReducerPath>,
  provider: AgentProvider<Input, Request, Chunk, Context>,
  options: AgentProviderEndpointOptions<BaseQuery> = {},
): QueryDefinition<AgentProviderEndpointArg<Input>, BaseQuery, TagTypes, AgentFollowedRun, ReducerPath> {
  const plain = options as unknown as AgentProviderEndpointOptions<PlainBaseQuery>
  const definition: unknown = createEndpoint(build as unknown as PlainBuilder, provider, plain)
  return definition as QueryDefinition<
    AgentProviderEndpointArg<Input>,
    BaseQuery,
    TagTypes,
    AgentFollowedRun,
    ReducerPath
  >
}

function createEndpoint(
  build: PlainBuilder,
  provider: AnyAgentProvider,
  options: AgentProviderEndpointOptions<PlainBaseQuery>,
) {
  const runtimes = createEndpointRuntime({ ...options, provider })
  const started = new WeakMap<StoreRuntime, StartedRuns>()

  function startedIn(runtime: StoreRuntime): StartedRuns {
    const ofStore = started.get(runtime) ?? createStartedRuns((runId) => findKnownRun(runtime, runId) !== undefined)
    started.set(runtime, ofStore)
    return ofStore
  }

  /** The run of an argument, but for one that failed to start and whose id no server would take for the same. */
  function findStarted(runtime: StoreRuntime, key: string): string | undefined {
    const runId = startedIn(runtime).find(key)
    const wire = runId === undefined ? undefined : getOwn(runtime.present.get().connection.runs, runId)
    return runId !== undefined && hasFailedToStart(runtime, runId) && !wire?.canResume ? undefined : runId
  }

  return build.query<AgentFollowedRun, AgentProviderEndpointArg<unknown>>({
    async queryFn({ sessionId, input, ...named }, api): Promise<EndpointAnswer<AgentFollowedRun>> {
      let release: (() => void) | undefined
      try {
        const runtime = runtimes.require(api)
        const ofStore = startedIn(runtime)
        const key = api.queryCacheKey ?? ''
        const runId = named.runId ?? findStarted(runtime, key) ?? runtime.environment.createId()
        // Until it is asked for the store does not know it, and that may wait for the session's storage.
        release = ofStore.hold(runId)
        ofStore.note(key, runId)
        const known = hasFailedToStart(runtime, runId) ? undefined : findKnownRun(runtime, runId)
        if (known) return { data: known }
        await openRun(runtime, { sessionId, provider, input, runId })
        return { data: findKnownRun(runtime, runId)! }
      } catch (thrown) {
        return { error: failWith(options, toEndpointError(thrown)) }
      } finally {
        release?.()
      }
    },
    onCacheEntryAdded: (_arg, entry) =>
      showRun(
        entry,
        () => runtimes.require(entry),
        (runtime, { runId }) => startedIn(runtime).hold(runId),
      ),
  })
}
