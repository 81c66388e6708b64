import { closeIterator } from '../../provider/closeIterator.ts'
import { toBatches } from '../../provider/toBatches.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { nameWireError } from '../../transport/nameWireError.ts'
import type { HttpStreamRequest } from '../../transport/openHttpStream.ts'
import type { AdapterChunk } from '../support/adapterChunk.ts'
import { createJsonSseTransport } from '../support/createJsonSseTransport.ts'
import { aiSdkAdapter as adapter } from './aiSdkAdapter.ts'
import { AiSdkError } from './aiSdkError.ts'
import type { AiSdkProviderOptions } from './aiSdkOptions.ts'
import type { AnswerBook } from './createAnswerBook.ts'
import type { AiSdkContext } from './createAiSdkContext.ts'
import type { AiSdkHttp } from './createAiSdkHttp.ts'

/** A chunk, with the run that it is read into. */
export interface AiSdkChunk {
  readonly chunk: AdapterChunk
  readonly context: AiSdkContext
}

/** How a stream is opened. */
export interface AiSdkCall {
  readonly context: AiSdkContext
  readonly request: () => Promise<HttpStreamRequest>
  readonly isResume?: boolean | undefined
}

/** Reads a run's streams. */
export interface AiSdkWire {
  /**
   * Reads a stream, and where it ends with questions that were all answered meanwhile, the one that the answers bring.
   * What comes is transformed before the next is asked for.
   */
  read(call: AiSdkCall, signal: AbortSignal): AsyncGenerator<readonly AiSdkChunk[], void, undefined>
  /** The stream that a parked run's answers bring. */
  answer(context: AiSdkContext, told: Parameters<AiSdkHttp['answer']>[1]): AiSdkCall
  /** Whether a run's stream is being read. */
  isOpen(runId: string): boolean
}

export function createAiSdkWire(
  options: AiSdkProviderOptions,
  parts: { http: AiSdkHttp; answers: AnswerBook },
): AiSdkWire {
  const { fetch, idleTimeout, timers, now } = options
  const { http, answers } = parts
  const open = new Map<string, number>()
  const sse = createJsonSseTransport<AiSdkCall>({
    adapter,
    fetch,
    idleTimeout,
    timers,
    now,
    request: ({ request }) => request(),
    onHeaders: (headers, { context }) => {
      context.serverRunId = headers.get('x-workflow-run-id') ?? context.serverRunId
    },
  })

  /** The next stream, where all that this one asks was answered while it was read. */
  function takeNext(context: AiSdkContext): AiSdkCall | undefined {
    const { runId } = context
    const given = answers.get(runId, context.getQuestions())
    if (!given) return undefined
    answers.clear(runId)
    return answer(context, given)
  }

  function answer(context: AiSdkContext, told: Parameters<AiSdkHttp['answer']>[1]): AiSdkCall {
    return {
      context,
      request() {
        // Made before the answers are taken for given.
        const request = http.answer(context, told)
        context.continueWith(told.answers)
        return request
      },
    }
  }

  return {
    answer,
    isOpen: (runId) => open.has(runId),
    async *read(first, signal) {
      const { runId } = first.context
      open.set(runId, (open.get(runId) ?? 0) + 1)
      try {
        yield* readStream(sse.open(first, signal), first, signal)
        for (let call = takeNext(first.context); call; call = takeNext(call.context)) {
          yield* readAnswer(readStream(sse.open(call, signal), call, signal), call, signal)
        }
      } finally {
        const left = open.get(runId)! - 1
        if (left > 0) open.set(runId, left)
        else open.delete(runId)
      }
    },
  }
}

/** @throws AiSdkError `refused` where nothing comes of the answers: the run waits for them as before. */
async function* readAnswer(
  stream: AsyncGenerator<readonly AiSdkChunk[], void, undefined>,
  { context }: AiSdkCall,
  signal: AbortSignal,
): AsyncGenerator<readonly AiSdkChunk[], void, undefined> {
  try {
    yield* stream
  } catch (error) {
    throw signal.aborted || context.getAcceptance().isAccepted ? error : refusedAnswer(error)
  }
}

/** @throws AgentTransportError where the stream ends, or breaks, before it has said how the run goes on. */
async function* readStream(
  stream: AsyncIterable<AdapterChunk>,
  { context, isResume }: AiSdkCall,
  signal: AbortSignal,
): AsyncGenerator<readonly AiSdkChunk[], void, undefined> {
  const batches = toBatches(stream)
  let taken = 0
  try {
    for (;;) {
      const batch = await batches.next()
      if (batch.done) break
      taken = (batch.value.at(-1)?.index ?? -1) + 1
      yield batch.value.map((chunk) => ({ chunk, context }))
      if (batch.value.at(-1)?.isDone) break
    }
  } catch (error) {
    if (signal.aborted) throw error
    // The line may break once all is said.
    if (context.hasOutcome() && !context.isReplaying() && context.getAcceptance().isAccepted) return
    throw isResume && isNothingActive(error) ? nothingActive() : error
  } finally {
    closeIterator(batches)
  }
  if (context.isReplaying()) throw nothingActive()
  const { isAccepted, error } = context.getAcceptance()
  if (!isAccepted && context.hasOutcome()) throw refusedAnswer(undefined, error)
  if (context.hasOutcome()) return
  const message = 'The stream ended before the server said how the run ends; reconnect.'
  throw nameWireError(new AgentTransportError('incomplete', message, { retryable: true }), { adapter, after: taken })
}

function refusedAnswer(cause: unknown, words?: string): AiSdkError {
  if (cause instanceof AiSdkError) return cause
  const said = words ? ` (${words.slice(0, 200)})` : ''
  const message = `The server did not go on from the answer${said}. Answer again.`
  return new AiSdkError('refused', message, { retryable: true, cause })
}

const isNothingActive = (error: unknown) => error instanceof AgentTransportError && error.status === 204

function nothingActive(): AgentTransportError {
  const message = `${adapter}: The server has no active stream of this run any more; send the message again.`
  return new AgentTransportError('resume_unavailable', message, { adapter })
}
