import { agentCommandTypes } from '../../protocol/agentCommandTypes.ts'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import { AGENT_EVENT_PROTOCOL, AGENT_EVENT_PROTOCOL_VERSION } from '../../protocol/agentEventProtocol.ts'
import { agentEventTypes } from '../../protocol/agentEventTypes.ts'
import { createUuid } from '../../protocol/createUuid.ts'
import type { AgentProvider, AgentProviderContextOptions } from '../../provider/agentProvider.ts'
import { encodePathSegment } from '../../transport/encodePathSegment.ts'
import type { HttpStreamRequest } from '../../transport/openHttpStream.ts'
import { createSseTransport } from '../../transport/sse.ts'
import type { AdapterHttpOptions } from '../support/adapterHttpOptions.ts'
import { classifyTransportError } from '../support/classifyTransportError.ts'
import { getAdapterHeaders } from '../support/getAdapterHeaders.ts'
import { parseRunServerMessage, type RunServerChunk } from './parseRunServerMessage.ts'
import { runServerAdapter } from './runServerAdapter.ts'
import { formatRunServerCursor, parseRunServerCursor } from './runServerCursor.ts'
import type { RunServerInput, RunServerRequest } from './runServerRequest.ts'
import { sendRunServerCommand } from './sendRunServerCommand.ts'

/** Where the run server is, and what a run starts with unless its input says otherwise. */
export interface RunServerProviderOptions extends AdapterHttpOptions {
  /** What stands before `/api/agent`; none by default: the page's own origin. */
  baseUrl?: string | undefined
  /** `run-server` by default; two run servers in one runtime need two ids. */
  id?: string | undefined
  modelId?: string | undefined
  enableThinking?: boolean | undefined
  mode?: 'chat' | 'plan' | undefined
  /** How long the server may be silent, in milliseconds; 45 s by default, as it sends a comment every 15 s. 0 is for ever. */
  idleTimeout?: number | undefined
  createMessageId?: (() => string) | undefined
}

/** A provider of the run server. */
export type RunServerProvider = AgentProvider<
  RunServerInput,
  RunServerRequest,
  RunServerChunk,
  AgentProviderContextOptions
>

/**
 * Makes the provider of a run server: dense, resumable, with all three commands. The server states every event; the
 * adapter checks the frames, keeps the cursor, and makes no event of its own.
 *
 * @example
 * const supportAgent = createRunServerProvider({ headers: async () => ({ authorization: await getToken() }) })
 */
export function createRunServerProvider(options: RunServerProviderOptions = {}): RunServerProvider {
  const { id = 'run-server', createMessageId = createUuid, credentials, now = Date.now, timers, fetch } = options
  const baseUrl = (options.baseUrl ?? '').replace(/\/+$/, '')

  const getHeaders = (own: Readonly<Record<string, string>> = {}) => getAdapterHeaders(own, options.headers)

  const streamRequest = async (body: object): Promise<HttpStreamRequest> => ({
    url: `${baseUrl}/api/agent/stream`,
    headers: await getHeaders({ 'content-type': 'application/json' }),
    body: JSON.stringify(body),
    credentials,
  })

  const isEnd = (chunk: RunServerChunk) =>
    chunk.kind === 'control' && (chunk.name === 'end' || chunk.name === 'parked')
  const stream = {
    ...{ adapter: runServerAdapter, fetch, timers, now, isEnd, parse: parseRunServerMessage },
    idleTimeout: options.idleTimeout ?? 45_000,
  }

  const transport = createSseTransport<RunServerRequest, RunServerChunk>({
    ...stream,
    request(request) {
      const { runId, assistantMessageId, start } = request
      request.isOpen = true
      return streamRequest({ runId, assistantMessageId, ...start })
    },
    resume(request, cursor) {
      const { seq, assistantMessageId } = parseRunServerCursor(cursor)
      // The id of the run's first connection stands, not the one that was made anew for this one.
      request.assistantMessageId = assistantMessageId
      request.isOpen = undefined
      return streamRequest({ resume: { runId: request.runId, lastAppliedSeq: seq, assistantMessageId } })
    },
    getCursor: (chunk) => (chunk.kind === 'event' ? formatRunServerCursor(chunk) : undefined),
  })

  // A reader asks by another route than who drives the run: that one takes up what its server's end interrupted.
  const reading = createSseTransport<RunServerRequest & { after: number }, RunServerChunk>({
    ...stream,
    request: async ({ runId, after }) => ({
      url: `${baseUrl}/api/agent/runs/${encodePathSegment(runId)}/stream?after=${after}`,
      headers: await getHeaders(),
      credentials,
    }),
  })

  return {
    id,
    protocol: { name: AGENT_EVENT_PROTOCOL, version: AGENT_EVENT_PROTOCOL_VERSION },
    capabilities: {
      eventTypes: agentEventTypes,
      transports: ['sse'],
      commands: agentCommandTypes,
      resumable: true,
      sequence: 'dense',
    },
    transport: {
      ...transport,
      follow: ({ runId, after }, signal) => reading.open({ runId, after, assistantMessageId: '', start: {} }, signal),
    },
    createContext: (context) => context,
    start: () => [],
    prepareRequest: (input, { sessionId, runId }) => ({
      runId,
      assistantMessageId: input.assistantMessageId ?? createMessageId(),
      start: {
        conversationId: sessionId,
        messages: [{ role: 'user', content: input.message }],
        modelId: input.modelId ?? options.modelId,
        enableThinking: input.enableThinking ?? options.enableThinking,
        mode: input.mode ?? options.mode,
        currentDocument: input.currentDocument,
        supersede: input.supersede,
      },
    }),
    // The runner checks the event; nothing but that makes it one.
    transformChunk: (chunk) => (chunk.kind === 'event' ? [chunk.event as AgentEvent] : []),
    flush: () => [],
    transformError: () => [],
    classifyError: classifyTransportError,
    executeCommand: (command, execution) =>
      sendRunServerCommand(command, {
        url: `${baseUrl}/api/agent/commands`,
        headers: getHeaders,
        fetch,
        credentials,
        timers,
        now,
        signal: execution.signal,
      }),
  }
}
