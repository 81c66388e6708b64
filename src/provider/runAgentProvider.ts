import type { AgentEvent } from '../protocol/agentEvent.ts'
import { createAgentEventFactory } from '../protocol/createAgentEventFactory.ts'
import type { AgentProvider, AgentProviderRunOptions } from './agentProvider.ts'
import { AgentProviderProtocolError } from './agentProviderProtocolError.ts'
import { assertSynchronous } from './assertSynchronous.ts'
import { checkCursor } from './checkCursor.ts'
import { checkProviderProtocol } from './checkProviderProtocol.ts'
import { callProvider } from './callProvider.ts'
import { consumeStream } from './consumeStream.ts'
import { ProviderFailure } from './providerFailure.ts'
import { createEventCheck } from './createEventCheck.ts'
import { followSignal } from './followSignal.ts'

type EventFunction = 'start' | 'transformChunk' | 'flush' | 'transformError'

/** What is known of a failure before `transformError` is called. */
export interface AgentTransportErrorDetails<Context> {
  /** Whether the wire was lost in a way that `classifyError` calls worth another try. */
  retryable: boolean
  context: Context
}

/** What `runAgentProvider` takes. */
export interface RunAgentProviderOptions<Input, Request, Chunk, Context> {
  provider: AgentProvider<Input, Request, Chunk, Context>
  input: Input
  run: AgentProviderRunOptions
  onEvent: (event: AgentEvent) => void
  /** Takes the run up again after a cursor instead of starting it. */
  resume?: { cursor: string } | undefined
  /** Gets the cursor after a chunk, once all of the chunk's events were handed over. */
  onCursor?: ((cursor: string) => void) | undefined
  /**
   * Asked after so many chunks that came at once: a promise holds the stream up until the host had its turn, to paint
   * or to take a click.
   */
  pause?: ((chunks: number) => Promise<void> | undefined) | undefined
  /** Called once, when the first chunk arrives. */
  onConnected?: (() => void) | undefined
  /** Called at a normal end; the error that it returns makes that end a loss of the wire. */
  checkEnd?: (() => unknown) | undefined
  /**
   * Decides what becomes of an error of the transport or the provider: `transform` it into events now (the default),
   * or `stop`, so that the caller can take the run up again. The promise resolves either way.
   */
  onTransportError?:
    | ((error: unknown, details: AgentTransportErrorDetails<Context>) => 'transform' | 'stop')
    | undefined
}

/**
 * Runs a provider once: start (left out on resume), prepareRequest, open or resume, transformChunk for each chunk, and
 * flush; every event is checked before `onEvent` gets it (RFC, sections 9 and 13.2). Errors of the transport and the
 * provider go to `transformError`, once; an abort goes nowhere. Both resolve. An event that this wire has brought before
 * is handed over again, and a dense provider's after a gap as well: who applies the events absorbs the one and waits
 * with the other.
 *
 * @throws AgentProviderProtocolError where the provider breaks the protocol; what `onEvent`, `onCursor` and the other
 * callbacks throw, as it is; what `createContext` and `transformError` throw, as it is.
 * @example
 * const run = { sessionId: 's1', runId: 'r1', signal: controller.signal }
 * await runAgentProvider({ provider, input, run, onEvent: (event) => store.dispatch(event) })
 */
export async function runAgentProvider<Input, Request, Chunk, Context>(
  options: RunAgentProviderOptions<Input, Request, Chunk, Context>,
): Promise<void> {
  checkContract(options)
  if (options.run.signal?.aborted) return
  const { controller, release } = followSignal(options.run.signal)
  let finished = false
  try {
    await run(options, controller.signal)
    finished = true
  } finally {
    release()
    // After a proper end there is nothing to close, and a provider that listens must not take it for an abort.
    if (!finished) controller.abort()
  }
}

async function run<Input, Request, Chunk, Context>(
  options: RunAgentProviderOptions<Input, Request, Chunk, Context>,
  signal: AbortSignal,
): Promise<void> {
  const { provider, input, resume, onEvent } = options
  const runOptions = { ...options.run, signal }
  const dense = provider.capabilities.sequence === 'dense'
  const context = provider.createContext({ ...runOptions, events: createAgentEventFactory(runOptions) })
  assertSynchronous(provider, 'createContext', context)
  const check = createEventCheck({
    provider,
    sessionId: runOptions.sessionId,
    runId: runOptions.runId,
    known: runOptions.initialSequence ?? -1,
    repeats: resume !== undefined,
  })

  function handOver(name: EventFunction, events: readonly AgentEvent[]): void {
    if (!Array.isArray(events)) {
      assertSynchronous(provider, name, events)
      throw new AgentProviderProtocolError(
        'invalid_event',
        `Provider "${provider.id}" did not return a list of events from ${name}.`,
      )
    }
    for (let index = 0; index < events.length && !signal.aborted; index += 1) {
      const event = events[index] as AgentEvent
      const fault = check(event)
      if (fault) throw new AgentProviderProtocolError(fault.code, fault.message)
      onEvent(event)
    }
  }

  function handOverOwn(name: EventFunction, events: readonly AgentEvent[]): void {
    if (dense && Array.isArray(events) && events.length > 0) {
      throw new AgentProviderProtocolError(
        'dense_violation',
        `Provider "${provider.id}" is dense, yet ${name} made events of its own; the server alone gives sequences.`,
      )
    }
    handOver(name, events)
  }

  try {
    if (!resume) {
      const events = callProvider(() => provider.start(input, context))
      handOverOwn('start', events)
    }
    const ended = await stream(options, { context, signal, handOver })
    if (!ended) return
    const flushed = callProvider(() => provider.flush(context))
    handOverOwn('flush', flushed)
    const loss = signal.aborted ? undefined : options.checkEnd?.()
    if (loss !== undefined) throw new ProviderFailure(loss, 'transport')
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure)) throw thrown
    if (signal.aborted) return
    const { error, origin } = thrown
    const retryable = origin === 'transport' && isRetryable(provider, error, context)
    const decision = options.onTransportError?.(error, { retryable, context }) ?? 'transform'
    if (decision === 'transform' && !signal.aborted) {
      handOverOwn('transformError', provider.transformError(error, context))
    }
  }
}

/** Opens the wire and hands over what each chunk means, then its cursor. */
function stream<Input, Request, Chunk, Context>(
  options: RunAgentProviderOptions<Input, Request, Chunk, Context>,
  run: {
    context: Context
    signal: AbortSignal
    handOver: (name: EventFunction, events: readonly AgentEvent[]) => void
  },
): Promise<boolean> {
  const { provider, input, resume, onCursor } = options
  const { context, signal, handOver } = run
  const { transport } = provider
  const request = callProvider(() => provider.prepareRequest(input, context))
  assertSynchronous(provider, 'prepareRequest', request)
  let connected = false
  return consumeStream({
    signal,
    pause: options.pause,
    open() {
      const open = () => (resume ? transport.resume!(request, resume.cursor, signal) : transport.open(request, signal))
      const opened = callProvider(open, 'transport')
      assertSynchronous(provider, resume ? 'transport.resume' : 'transport.open', opened)
      return opened
    },
    onValue(chunk) {
      if (!connected) {
        connected = true
        options.onConnected?.()
      }
      handOver('transformChunk', callProvider(() => provider.transformChunk(chunk, context)))
      if (!onCursor || signal.aborted) return
      const cursor = callProvider(() => transport.getCursor?.(chunk))
      if (cursor === undefined || cursor === null || cursor === '') return
      assertSynchronous(provider, 'transport.getCursor', cursor)
      const fault = checkCursor(provider, cursor)
      if (fault !== undefined) throw new AgentProviderProtocolError('invalid_cursor', fault)
      onCursor(cursor)
    },
  })
}

function isRetryable<Input, Request, Chunk, Context>(
  provider: AgentProvider<Input, Request, Chunk, Context>,
  error: unknown,
  context: Context,
): boolean {
  let answer: { retryable: boolean } | undefined
  try {
    answer = provider.classifyError?.(error, context)
  } catch {
    // A classifier that fails says nothing, and without its word an error is final.
    return false
  }
  assertSynchronous(provider, 'classifyError', answer)
  return answer?.retryable === true
}

function checkContract<Input, Request, Chunk, Context>(
  options: RunAgentProviderOptions<Input, Request, Chunk, Context>,
): void {
  const { provider, resume } = options
  const { id, capabilities, transport } = provider
  const fault = checkProviderProtocol(provider)
  if (fault !== undefined) throw new AgentProviderProtocolError('unsupported_protocol', fault)
  if (!capabilities.transports.includes(transport.kind)) {
    throw new AgentProviderProtocolError(
      'undeclared_transport',
      `Provider "${id}" does not declare transport "${transport.kind}"; add it to capabilities.transports.`,
    )
  }
  if (resume && !(capabilities.resumable && transport.resume)) {
    throw new AgentProviderProtocolError(
      'unsupported_resume',
      `Provider "${id}" cannot resume: it needs capabilities.resumable and a transport with resume.`,
    )
  }
}
