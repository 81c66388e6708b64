import { agentEventTypes } from '../../protocol/agentEventTypes.ts'
import { AGENT_EVENT_PROTOCOL, AGENT_EVENT_PROTOCOL_VERSION } from '../../protocol/agentEventProtocol.ts'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import type { AgentProvider, AgentProviderContextOptions } from '../../provider/agentProvider.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { omitUndefined } from '../../state/omitUndefined.ts'
import { flattenBatches } from '../../transport/flattenBatches.ts'
import { classifyTransportError } from '../support/classifyTransportError.ts'
import { parseAiSdkCursor } from './aiSdkCursor.ts'
import { createMemoryAiSdkFiles } from './aiSdkFiles.ts'
import type { AiSdkInput, AiSdkProviderOptions } from './aiSdkOptions.ts'
import { createAnswerBook } from './createAnswerBook.ts'
import { createAiSdkContext, type AiSdkContext } from './createAiSdkContext.ts'
import { createAiSdkHttp, userMessageId } from './createAiSdkHttp.ts'
import { createAiSdkWire, type AiSdkCall, type AiSdkChunk } from './createAiSdkWire.ts'
import { sendAiSdkCommand } from './sendAiSdkCommand.ts'

/** What starts a run's first stream. */
export interface AiSdkRunRequest {
  readonly context: AiSdkContext
  readonly input: AiSdkInput
}

/** A provider of an AI SDK server. */
export type AiSdkProvider = AgentProvider<AiSdkInput, AiSdkRunRequest, AiSdkChunk, AiSdkContext>

/**
 * Makes a provider for a server that speaks the UI message stream of the AI SDK, version 5 to 7. Runs are not resumable
 * unless `resume` says how; `approval.resolve` answers tool approvals and, with data, client tools; `run.cancel` needs
 * `getStopUrl`. Each request tells the whole conversation, made of the session's state.
 *
 * @experimental
 * @example
 * const provider = createAiSdkProvider({ api: '/api/chat', headers: async () => ({ authorization: await getToken() }) })
 */
export function createAiSdkProvider(options: AiSdkProviderOptions = {}): AiSdkProvider {
  const { id = 'ai-sdk', resume, files = createMemoryAiSdkFiles() } = options
  const how = {
    incompleteFinishReasons: options.incompleteFinishReasons ?? ['other', 'unknown', 'interrupted'],
    mayResetSteps: options.mayResetSteps ?? false,
    maxInlineFileSize: options.maxInlineFileSize ?? 16_384,
    putFile: files.put.bind(files),
    onTransientData: options.onTransientData,
  }
  const answers = createAnswerBook()
  const http = createAiSdkHttp(options, files)
  const wire = createAiSdkWire(options, { http, answers })
  const createContext = (run: AgentProviderContextOptions) => createAiSdkContext(run, how)

  /** Reads a run's main stream; whoever closes it gives the answers up that wait for its end. */
  async function* readMain(call: AiSdkCall, signal: AbortSignal): AsyncGenerator<readonly AiSdkChunk[], void, undefined> {
    try {
      yield* wire.read(call, signal)
    } catch (error) {
      // Of a stream that is lost for good they are said to be given up: who goes on with the run gives them again.
      const isLost = error instanceof AgentTransportError && !(error.retryable && resume)
      if (isLost) answers.clear(call.context.runId)
      throw error
    } finally {
      if (signal.aborted) answers.clear(call.context.runId)
    }
  }

  /** A run that is over has no use for answers any more. */
  function settle({ runId, isOver }: AiSdkContext, events: readonly AgentEvent[]): readonly AgentEvent[] {
    if (isOver()) answers.clear(runId)
    return events
  }

  return {
    id,
    protocol: { name: AGENT_EVENT_PROTOCOL, version: AGENT_EVENT_PROTOCOL_VERSION },
    capabilities: {
      eventTypes: agentEventTypes,
      transports: ['sse'],
      commands: options.getStopUrl ? ['approval.resolve', 'run.cancel'] : ['approval.resolve'],
      resumable: resume !== undefined,
    },
    transport: {
      kind: 'sse',
      open: ({ context, input }, signal) =>
        flattenBatches(readMain({ context, request: () => http.start(context, input) }, signal)),
      ...(resume && {
        getCursor({ context }: AiSdkChunk) {
          // Without the server's id of it there is no address to go on at.
          return resume === 'replay' || context.serverRunId !== undefined ? context.getCursor() : undefined
        },
        resume({ context }: AiSdkRunRequest, cursor: string, signal: AbortSignal) {
          const known = parseAiSdkCursor(cursor)
          context.resume(known, { isReplay: resume === 'replay' })
          const request = () => http.resume(context, known.chunks)
          return flattenBatches(readMain({ context, request, isResume: true }, signal))
        },
      }),
    },
    createContext,
    start: (input, context) => startRun(input, context),
    prepareRequest: (input, context) => ({ context, input }),
    transformChunk: ({ chunk }, context) => context.transform(chunk),
    flush: (context) => settle(context, context.end()),
    transformError: (error, context) => settle(context, context.fail(error)),
    classifyError: classifyTransportError,
    executeCommand: (command, execution) =>
      sendAiSdkCommand(command, execution, { options, wire, answers, createContext }),
  }
}

/** The person's message is a fact of the run: later requests tell it again. */
function startRun(input: AiSdkInput, { run: { events, runId } }: AiSdkContext): readonly AgentEvent[] {
  const { message: content, metadata, regenerates } = input
  const started = events.create('run.started', regenerates === undefined ? {} : { input: { regenerates } })
  if (content === undefined) return [started]
  const messageId = userMessageId(runId, input)
  const meta = metadata === undefined ? undefined : { aiSdkMetadata: metadata }
  return [
    started,
    events.create('message.started', { messageId, role: 'user', content }, omitUndefined({ meta })),
    events.create('message.completed', { messageId }),
  ]
}
