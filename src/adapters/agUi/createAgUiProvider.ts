import type { AgentCommand } from '../../protocol/agentCommand.ts'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import { AGENT_EVENT_PROTOCOL, AGENT_EVENT_PROTOCOL_VERSION } from '../../protocol/agentEventProtocol.ts'
import { agentEventTypes } from '../../protocol/agentEventTypes.ts'
import { createAgentEventFactory, type AgentEventFactory } from '../../protocol/createAgentEventFactory.ts'
import { createUuid } from '../../protocol/createUuid.ts'
import type { AgentCommandOptions, AgentProvider, AgentProviderContextOptions } from '../../provider/agentProvider.ts'
import type { AgentState } from '../../state/agentState.ts'
import { getOwn } from '../../state/ownRecord.ts'
import { mergeHeaders } from '../../transport/mergeHeaders.ts'
import { classifyTransportError } from '../support/classifyTransportError.ts'
import { createRunCache } from '../support/createRunCache.ts'
import { getAdapterHeaders } from '../support/getAdapterHeaders.ts'
import { sendAdapterRequest } from '../support/sendAdapterRequest.ts'
import { agUiAdapter as adapter } from './agUiAdapter.ts'
import type { AgUiChunk } from './agUiChunk.ts'
import { AgUiError } from './agUiError.ts'
import type { AgUiProviderOptions } from './agUiOptions.ts'
import type { AgUiProgress } from './agUiProgress.ts'
import type { AgUiInput, AgUiRequest } from './agUiRequest.ts'
import { createAgUiMapper, type AgUiMapper } from './createAgUiMapper.ts'
import { createAgUiTransport } from './createAgUiTransport.ts'
import { createRunInput, getOfferedTools, getSharedState, readRunInput } from './createRunInput.ts'
import { cancelRun, resolveApproval, type CommandHost } from './executeAgUiCommand.ts'
import { toAgUiContent } from './toAgUiContent.ts'
import { withProgress } from './withProgress.ts'

/** One connection of a run. */
export interface AgUiContext {
  readonly run: AgentProviderContextOptions
  /** Absent until the first word. */
  mapper?: AgUiMapper | undefined
  request?: AgUiRequest | undefined
  messageId?: string | undefined
}

/** A provider of an AG-UI agent. */
export type AgUiProvider = AgentProvider<AgUiInput, AgUiRequest, AgUiChunk, AgUiContext>

/**
 * Makes the provider of an agent that speaks AG-UI, 1.0 or 0.0.5x. Interrupts, and calls of the page's own tools, are
 * approvals of one run: their answers are gathered, and the agent goes on in the same run. AG-UI cannot take up a lost
 * stream or stop a run; `resume` and `stop` say how your server can.
 *
 * @experimental
 * @example
 * const support = createAgUiProvider({ url: '/agent', headers: async () => ({ authorization: await getToken() }) })
 */
export function createAgUiProvider(options: AgUiProviderOptions): AgUiProvider {
  const { id = 'ag-ui', createMessageId = createUuid, resume, stop } = options
  const own = options.transport ?? createAgUiTransport(options)
  const isResumable = resume !== undefined && own.resume !== undefined
  const replaysAll = resume?.replay === 'all'
  const { transport, note } = isResumable && !replaysAll ? withProgress(own) : { transport: own }
  const gathered = createRunCache((): ReturnType<CommandHost['answersOf']> => ({ given: new Map(), sent: new Set() }))
  /** The mappers of open connections, so that a cancel goes on from where they are. */
  const open = createRunCache((): AgUiMapper | undefined => undefined)
  const getThreadId = options.getThreadId ?? ((sessionId: string) => sessionId)
  const keyOf = ({ sessionId, runId }: { sessionId: string; runId: string }) => JSON.stringify([sessionId, runId])

  function createMapper(connection: {
    sessionId: string
    runId: string
    wireRunId: string
    events: AgentEventFactory
    input: AgUiInput
    state: AgentState | undefined
    isReplayed: boolean
    progress?: AgUiProgress | undefined
  }): AgUiMapper {
    const { runId, input, state } = connection
    return createAgUiMapper({
      runId,
      wireRunId: connection.wireRunId,
      events: connection.events,
      options,
      offered: new Set(getOfferedTools(options, input).map(({ name }) => name)),
      baseline: getSharedState(state, { options, input, runId }),
      state,
      replaysAll: connection.isReplayed,
      mayReplayAll: isResumable && replaysAll,
      progress: connection.progress,
    })
  }

  function mapperOf(context: AgUiContext, started?: AgUiInput): AgUiMapper {
    if (context.mapper) return context.mapper
    const { sessionId, runId, events, signal, getAgentState } = context.run
    const state = getAgentState?.()
    const mapper = createMapper({
      sessionId,
      runId,
      wireRunId: context.request?.runId ?? runId,
      events,
      input: started ?? readRunInput(state, runId),
      state,
      isReplayed: replaysAll && started === undefined,
      progress: context.request?.progress,
    })
    context.mapper = mapper
    if (stop) {
      open.keep(keyOf(context.run), mapper)
      signal?.addEventListener('abort', () => close(context), { once: true })
    }
    return mapper
  }

  function read(mapper: AgUiMapper, chunk: AgUiChunk) {
    const events = mapper.map(chunk)
    note?.(chunk, mapper.saveProgress())
    return events
  }

  function close(context: AgUiContext) {
    const key = keyOf(context.run)
    if (open.find(key) === context.mapper) open.forget(key)
    // A run that is over has no use for answers any more.
    if (context.mapper?.hasEnded()) gathered.forget(key)
  }

  function assertAnswered({ run }: AgUiContext) {
    const approvals = Object.values(run.getAgentState?.().approvals ?? {})
    const runs = run.getAgentState?.().runs ?? {}
    const isOpen = approvals.some(
      ({ status, runId }) =>
        status === 'waiting' && runId !== run.runId && Object.hasOwn(runs, runId) && runs[runId]!.status === 'running',
    )
    if (!isOpen) return
    const message = 'The agent waits for answers in this conversation. Answer or decline what it asked, then go on.'
    throw new AgUiError('open_interrupts', message)
  }

  function send(run: Parameters<NonNullable<CommandHost['stop']>>[0], signal: AbortSignal) {
    const { credentials, fetch, timers, now } = options
    return sendAdapterRequest({
      ...{ adapter, what: 'the cancellation', fetch, timers, now, signal },
      async request() {
        const { url, method, headers, body } = stop!(run)
        const all = mergeHeaders(await getAdapterHeaders({}, options.headers), headers)
        return { url, method: method ?? 'POST', headers: all, body, credentials }
      },
    })
  }

  function hostOf(execution: AgentCommandOptions): CommandHost {
    return {
      options,
      transport,
      getThreadId,
      answersOf: (run) => gathered.open(keyOf(run)),
      forgetAnswers: (run) => gathered.forget(keyOf(run)),
      createMapper({ command, execution: { initialSequence, now }, state, wireRunId }) {
        const { sessionId, runId } = command
        const last = Math.max(initialSequence, (state && getOwn(state.lastSequenceByRun, runId)) ?? -1)
        const events = createAgentEventFactory({ sessionId, runId, initialSequence: last, now })
        const input = readRunInput(state, runId)
        const mapper = createMapper({ sessionId, runId, wireRunId, events, input, state, isReplayed: false })
        const key = keyOf(command)
        if (stop) open.keep(key, mapper)
        return { mapper, release: () => void (open.find(key) === mapper && open.forget(key)) }
      },
      read,
      findMapper: (run) => open.find(keyOf(run)),
      ...(stop && { stop: (request) => send(request, execution.signal) }),
    }
  }

  return {
    id,
    protocol: { name: AGENT_EVENT_PROTOCOL, version: AGENT_EVENT_PROTOCOL_VERSION },
    capabilities: {
      eventTypes: agentEventTypes,
      transports: [transport.kind],
      commands: stop ? ['approval.resolve', 'run.cancel'] : ['approval.resolve'],
      resumable: isResumable,
    },
    transport,
    createContext: (run) => ({ run }),

    start(input, context) {
      context.messageId = input.messageId ?? createMessageId()
      return mapperOf(context, input).begin(input, context.messageId)
    },

    prepareRequest(input, context) {
      const { sessionId, runId, getAgentState } = context.run
      const { message } = input
      const threadId = getThreadId(sessionId)
      const isFirst = context.messageId !== undefined
      if (isFirst) assertAnswered(context)
      const question =
        isFirst && message !== undefined
          ? [{ id: context.messageId!, role: 'user' as const, content: toAgUiContent(message) }]
          : []
      context.request = {
        threadId,
        runId,
        getInput() {
          const state = getAgentState?.()
          return createRunInput({ options, input, state, threadId, runId, wireRunId: runId, more: question })
        },
        chunks: 0,
        hasEnded: false,
      }
      return context.request
    },

    transformChunk: (chunk, context) => read(mapperOf(context), chunk),

    flush(context) {
      const events = mapperOf(context).settle()
      close(context)
      return events
    },

    transformError(error, context) {
      const events = mapperOf(context).fail(error)
      close(context)
      return events
    },

    classifyError: classifyTransportError,

    executeCommand(command: AgentCommand, execution: AgentCommandOptions): AsyncIterable<AgentEvent> {
      const host = hostOf(execution)
      if (command.type === 'approval.resolve') return resolveApproval(command, execution, host)
      if (command.type === 'run.cancel' && stop) return cancelRun(command, execution, host)
      return refuse(command.type)
    },
  }
}

/** An answer that fails: errors belong to the answer, not to the function that gives it. */
function refuse(type: string): AsyncIterable<AgentEvent> {
  const error = new AgUiError('refused', `AG-UI has no form for the command "${type}".`)
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) }
}
