import type { AgentEventType } from '../../protocol/agentEventPayloads.ts'
import { AGENT_EVENT_PROTOCOL, AGENT_EVENT_PROTOCOL_VERSION } from '../../protocol/agentEventProtocol.ts'
import type { AgentProvider, AgentProviderContextOptions } from '../../provider/agentProvider.ts'
import { createInitialAgentState } from '../../state/createInitialAgentState.ts'
import { endAtDone } from '../openAI/endAtDone.ts'
import type { OpenAIInput } from '../openAI/openAIInput.ts'
import type { OpenAIFields, OpenAIProviderOptions } from '../openAI/openAIProviderOptions.ts'
import { startRun } from '../openAI/startRun.ts'
import type { AdapterChunk } from '../support/adapterChunk.ts'
import { classifyTransportError } from '../support/classifyTransportError.ts'
import { createJsonSseTransport } from '../support/createJsonSseTransport.ts'
import { getAdapterHeaders } from '../support/getAdapterHeaders.ts'
import { buildChatMessages } from './buildChatMessages.ts'
import { fromChatContent } from './chatContent.ts'
import { createChatMapper, type ChatMapper } from './createChatMapper.ts'
import { openAIChatAdapter } from './openAIChatAdapter.ts'
import type { OpenAIChatMessage } from './openAIChatMessage.ts'

/** What is asked of a chat completions service. */
export interface OpenAIChatInput extends OpenAIInput {
  /**
   * The whole conversation as the wire has it, instead of the one that is built from the session: nothing is added. Its
   * last message is shown, where that is a person's and there is no `message`.
   */
  messages?: readonly OpenAIChatMessage[] | undefined
}

/** Where a chat completions service is, and what every request says. */
export interface OpenAIChatProviderOptions extends OpenAIProviderOptions {
  /** `openai-chat` by default; two services in one runtime need two ids. */
  id?: string | undefined
  /** Whether usage is asked for by `stream_options`, which a few services refuse; yes by default. */
  includeUsage?: boolean | undefined
  /** Gives earlier reasoning back under this field, where a service wants it; not by default. */
  reasoningField?: 'reasoning_content' | 'reasoning' | undefined
}

/** A request of the chat wire. */
export interface OpenAIChatRequest {
  readonly body: OpenAIFields
}

/** What the provider keeps of one run. */
export interface OpenAIChatContext extends AgentProviderContextOptions {
  readonly mapper: ChatMapper
}

/** A provider of a chat completions service. */
export type OpenAIChatProvider = AgentProvider<OpenAIChatInput, OpenAIChatRequest, AdapterChunk, OpenAIChatContext>

const eventTypes: readonly AgentEventType[] = [
  ...(['run.started', 'run.completed', 'run.failed'] as const),
  ...(['message.started', 'message.delta', 'message.completed', 'message.failed'] as const),
  ...(['reasoning.started', 'reasoning.delta', 'reasoning.completed', 'reasoning.failed'] as const),
  ...(['tool.requested', 'tool.arguments_delta', 'tool.cancelled', 'tool.failed'] as const),
]

/**
 * Makes the provider of a service that streams chat completions: OpenAI's, or one that is compatible with it. The
 * conversation is built from the session's state. A lost stream cannot be taken up again and there are no commands: the
 * calls that the model asks for are the app's, which answers them with its next request.
 *
 * @experimental
 * @example
 * const chat = createOpenAIChatProvider({ baseUrl: '/api/openai/v1', model: 'gpt-4.1-mini' })
 */
export function createOpenAIChatProvider(options: OpenAIChatProviderOptions = {}): OpenAIChatProvider {
  const { id = 'openai-chat', includeUsage = true, credentials, reasoningField } = options
  const url = options.url ?? `${(options.baseUrl ?? '/v1').replace(/\/+$/, '')}/chat/completions`
  const transport = createJsonSseTransport<OpenAIChatRequest>({
    adapter: openAIChatAdapter,
    fetch: options.fetch,
    timers: options.timers,
    now: options.now,
    idleTimeout: options.idleTimeout,
    request: async ({ body }) => ({
      url,
      headers: await getAdapterHeaders({ 'content-type': 'application/json' }, options.headers),
      body: JSON.stringify(body),
      credentials,
    }),
  })

  return {
    id,
    protocol: { name: AGENT_EVENT_PROTOCOL, version: AGENT_EVENT_PROTOCOL_VERSION },
    capabilities: { eventTypes, transports: ['sse'], resumable: false },
    transport: { kind: transport.kind, open: (request, signal) => endAtDone(transport.open(request, signal)) },
    createContext: (context) => ({ ...context, mapper: createChatMapper(context.events, context.runId) }),
    start({ message, messages, ...kept }, { events }) {
      const last = messages?.at(-1)
      const shown = message ?? (last?.role === 'user' ? fromChatContent(last.content) : undefined)
      return startRun(events, { message: shown, kept })
    },
    prepareRequest(input, { runId, getAgentState }) {
      const { instructions } = options
      const { message, toolResults, messages } = input
      const model = input.model ?? options.model
      const tools = input.tools ?? options.tools
      return {
        body: {
          ...(model !== undefined && { model }),
          messages:
            messages ??
            buildChatMessages(getAgentState?.() ?? createInitialAgentState(), {
              ...{ runId, instructions, message, toolResults, reasoningField },
            }),
          ...(tools !== undefined && tools.length > 0 && { tools }),
          ...(includeUsage && { stream_options: { include_usage: true } }),
          ...options.body,
          ...input.body,
          stream: true,
        },
      }
    },
    transformChunk: (chunk, { mapper }) => mapper.push(chunk),
    flush: ({ mapper }) => mapper.finish(),
    transformError: (error, { mapper }) => mapper.fail(error),
    classifyError: classifyTransportError,
  }
}
