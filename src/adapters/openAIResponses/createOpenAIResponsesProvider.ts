import { assertNever } from '../../assertNever.ts'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import { AGENT_EVENT_PROTOCOL, AGENT_EVENT_PROTOCOL_VERSION } from '../../protocol/agentEventProtocol.ts'
import { agentEventTypes } from '../../protocol/agentEventTypes.ts'
import type { AgentProvider, AgentProviderContextOptions } from '../../provider/agentProvider.ts'
import { describeError } from '../../provider/describeError.ts'
import { createInitialAgentState } from '../../state/createInitialAgentState.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { startRun } from '../openAI/startRun.ts'
import type { AdapterChunk } from '../support/adapterChunk.ts'
import { classifyTransportError } from '../support/classifyTransportError.ts'
import { closeEntity } from '../support/closeEntity.ts'
import { createJsonSseTransport } from '../support/createJsonSseTransport.ts'
import { createRunCache } from '../support/createRunCache.ts'
import { findOpenEntities } from '../support/findOpenEntities.ts'
import { buildResponsesInput } from './buildResponsesInput.ts'
import { createResponseMapper, type ResponseMapper } from './createResponseMapper.ts'
import { createResponsesBody, isStateless } from './createResponsesBody.ts'
import { openAIResponsesAdapter } from './openAIResponsesAdapter.ts'
import { OpenAIResponsesCommandError } from './openAIResponsesCommandError.ts'
import type { OpenAIResponsesInput, OpenAIResponsesProviderOptions } from './openAIResponsesInput.ts'
import { cancelRun, resolveApproval } from './responseCommands.ts'
import { isLastResponseChunk } from './responseEvent.ts'
import { createResponseRun, type ResponseRun } from './responseRun.ts'
import { createResponsesRequests, type OpenAIResponsesRequest } from './responsesRequest.ts'
import { parseResponseCursor } from './responseState.ts'

/** What the provider keeps of one wire of a run. */
export interface OpenAIResponsesContext extends AgentProviderContextOptions {
  readonly mapper: ResponseMapper
  readonly response: ResponseRun
}

/** A provider of a Responses service. */
export type OpenAIResponsesProvider = AgentProvider<
  OpenAIResponsesInput,
  OpenAIResponsesRequest,
  AdapterChunk,
  OpenAIResponsesContext
>

/**
 * Makes the provider of a service that speaks OpenAI's Responses API: reasoning, the service's own tools, and what MCP
 * servers ask a person, whose answer the run goes on with. In the `background` a lost stream is taken up again where it
 * broke, and a run can be cancelled.
 *
 * @experimental
 * @example
 * const agent = createOpenAIResponsesProvider({ baseUrl: '/api/openai/v1', model: 'gpt-5-mini', background: true })
 */
export function createOpenAIResponsesProvider(options: OpenAIResponsesProviderOptions = {}): OpenAIResponsesProvider {
  const { id = 'openai-responses', background: isBackground = false } = options
  const requests = createResponsesRequests(options)
  const runs = createRunCache(createResponseRun)
  // A cursor is what is known after a chunk, which the transport is asked for by that chunk.
  const cursors = new WeakMap<AdapterChunk, string>()

  const transport = createJsonSseTransport<OpenAIResponsesRequest>({
    adapter: openAIResponsesAdapter,
    fetch: options.fetch,
    timers: options.timers,
    now: options.now,
    idleTimeout: options.idleTimeout,
    isEnd: isLastResponseChunk,
    request: requests.create,
    ...(isBackground && {
      getCursor: (chunk: AdapterChunk) => cursors.get(chunk),
      resume(request: OpenAIResponsesRequest, cursor: string) {
        const state = parseResponseCursor(cursor)
        request.restore(state)
        return requests.follow(state.responseId, state.number)
      },
    }),
  })

  function forgetEnded(runId: string): void {
    if (runs.find(runId)?.isSilent) runs.forget(runId)
  }

  return {
    id,
    protocol: { name: AGENT_EVENT_PROTOCOL, version: AGENT_EVENT_PROTOCOL_VERSION },
    capabilities: {
      eventTypes: agentEventTypes,
      transports: ['sse'],
      commands: isBackground ? ['approval.resolve', 'run.cancel'] : ['approval.resolve'],
      resumable: isBackground,
    },
    transport,

    createContext(context) {
      const run = runs.open(context.runId)
      const mapper = createResponseMapper({
        events: context.events,
        run,
        runId: context.runId,
        getAgentState: context.getAgentState,
        isBackground,
        isStateless: isStateless(options),
      })
      return { ...context, mapper, response: run }
    },

    start(input, { events, response }) {
      const { message, items: _, ...kept } = input
      response.input = kept
      return startRun(events, { message, kept })
    },

    prepareRequest(input, { runId, getAgentState, mapper }) {
      const { message, toolResults, items } = input
      return {
        restore: (state) => mapper.restore(state),
        createBody() {
          const state = getAgentState?.() ?? createInitialAgentState()
          const built = items
            ? { input: items }
            : buildResponsesInput(state, {
                exceptRunId: runId,
                message,
                toolResults,
                isStateless: isStateless(options),
              })
          return createResponsesBody(options, input, built)
        },
      }
    },

    transformChunk(chunk, { mapper, runId }) {
      const events = mapper.push(chunk)
      const cursor = isBackground ? mapper.getCursor() : undefined
      if (cursor !== undefined) cursors.set(chunk, cursor)
      forgetEnded(runId)
      return events
    },

    // A stream that ends before its response does has thrown.
    flush: () => [],

    transformError(error, { events, runId, getAgentState, response: run }) {
      // What goes on in the background has not failed, though its wire is lost: it can be taken up again by hand.
      const isLost = error instanceof AgentTransportError && error.retryable
      if (run.isSilent || (isBackground && isLost && run.responseId !== undefined)) return []
      run.isSilent = true
      const described = describeError(error, { adapter: openAIResponsesAdapter })
      const open = getAgentState ? findOpenEntities(getAgentState(), runId) : run.getOpen()
      const closed: AgentEvent[] = open.map((entity) =>
        closeEntity(events, entity, { status: 'failed', error: described }),
      )
      forgetEnded(runId)
      return [...closed, events.create('run.failed', { error: described })]
    },

    classifyError: classifyTransportError,

    executeCommand(command, execution) {
      const run = runs.open(command.runId)
      const tools = { options, transport, requests, run }
      switch (command.type) {
        case 'approval.resolve':
          return thenForget(resolveApproval(command, execution, tools), command.runId)
        case 'run.cancel':
          return thenForget(isBackground ? cancelRun(command, execution, tools) : refuse(command.type), command.runId)
        case 'tool.retry':
          return refuse(command.type)
        default:
          return assertNever(command)
      }
    },
  }

  async function* thenForget(events: AsyncGenerator<AgentEvent, void, undefined>, runId: string) {
    try {
      yield* events
    } finally {
      forgetEnded(runId)
    }
  }
}

// oxlint-disable-next-line require-yield -- what is refused brings no event
async function* refuse(type: string): AsyncGenerator<AgentEvent, void, undefined> {
  throw new OpenAIResponsesCommandError('refused', `The Responses API has no way to do "${type}" here.`)
}
